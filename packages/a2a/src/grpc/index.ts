export { grpcClient, type GrpcClientOptions } from "./grpc-client.ts";
export { grpcBinding, type GrpcOptions } from "./grpc-binding.ts";
