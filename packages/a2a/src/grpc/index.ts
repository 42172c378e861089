export { grpcBinding, type GrpcOptions } from "./grpc-binding.ts";
