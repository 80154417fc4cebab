import { createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { agentProofText, apiProofText, type HelloFrame } from '#contracts/servers/agent-protocol.ts';

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** Whether a hello proves the secret and its key, over a nonce that it was given. */
export const provesItself = (hello: HelloFrame, secret: string): boolean => {
  const text = agentProofText(hello.nonce, hello.serverId, hello.agentKey);
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: hello.agentKey } });
  return (
    hello.proof === hmac(secret, text) &&
    verify(null, Buffer.from(text), key, Buffer.from(hello.signature, 'base64url'))
  );
};

export const proofOfApi = (hello: HelloFrame, secret: string): string =>
  hmac(secret, apiProofText(hello.clientNonce, hello.serverId));

export const newNonce = (): string => randomBytes(24).toString('base64url');
