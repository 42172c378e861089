export { virtualClock, type VirtualClock } from "./virtual-clock.ts";
