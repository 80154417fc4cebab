import { createHmac, createSecretKey, verify } from 'node:crypto';
import { agentProofText, apiProofText, type HelloFrame } from '#contracts/agent-protocol.ts';
import { equalBytes } from '#runtime/auth/secret-token.ts';
import type { Secret } from '#runtime/secret.ts';

/** What both sides show of a secret; the secret itself never crosses the wire. */
export interface AgentProof {
  /** Whether the agent knows the secret. */
  isSecretProven(hello: HelloFrame): boolean;
  /** Whether the maker of this proof over the text knows the secret. */
  isProven(text: string, proof: string): boolean;
  /** Whether the agent holds the key that it names. Runs off the main thread. */
  isKeyProven(hello: HelloFrame): Promise<boolean>;
  /** Proof that the API knows the secret, for the `welcome`. */
  ofApi(hello: HelloFrame): string;
}

export const createAgentProof = (secret: Secret): AgentProof => {
  const key = createSecretKey(Buffer.from(secret.reveal(), 'utf8'));
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();
  const textOf = ({ nonce, serverId, agentKey }: HelloFrame) => agentProofText(nonce, serverId, agentKey);
  const isProven = (text: string, proof: string) => equalBytes(Buffer.from(proof, 'base64url'), mac(text));
  return {
    isSecretProven: (hello) => isProven(textOf(hello), hello.proof),
    isProven,
    isKeyProven: (hello) => isSignedBy(hello.agentKey, textOf(hello), hello.signature),
    ofApi: (hello) => mac(apiProofText(hello.clientNonce, hello.serverId)).toString('base64url'),
  };
};

/** Whether the holder of an agent's key signed the text. Runs off the main thread. */
export const isSignedBy = (agentKey: string, text: string, signature: string): Promise<boolean> =>
  new Promise((resolve) => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: agentKey };
    const shown = Buffer.from(signature, 'base64url');
    try {
      verify(null, Buffer.from(text), { key, format: 'jwk' }, shown, (error, isRight) =>
        resolve(!error && isRight),
      );
    } catch {
      // Not a point on the curve: a key that no one can hold.
      resolve(false);
    }
  });

const fingerprintLength = 12;

/** The first characters of an agent's key, for people to compare. */
export const fingerprintOf = (agentKey: string): string => agentKey.slice(0, fingerprintLength);
