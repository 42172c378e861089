// Prints the public key of Restate's requests as it and TROUPE_RESTATE_IDENTITY_KEYS write it:
//
//   node identity-key.mjs FILE.pem
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base58, as it is read: each leading zero byte is a 1. */
function base58(bytes) {
  let number = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  return "1".repeat(bytes.findIndex((byte) => byte !== 0)) + text;
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Name the file: node identity-key.mjs FILE.pem");
  process.exit(2);
}
const { kty, crv, x } = createPublicKey(createPrivateKey(readFileSync(file))).export({ format: "jwk" });
if (kty !== "OKP" || crv !== "Ed25519") {
  console.error(`"${file}" is no Ed25519 key; make one with: openssl genpkey -algorithm ed25519`);
  process.exit(1);
}
console.log(`publickeyv1_${base58(Buffer.from(x, "base64url"))}`);
