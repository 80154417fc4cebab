import { createHmac, createSecretKey, randomBytes, verify } from 'node:crypto';
import { agentProofText, apiProofText, type HelloFrame } from '#contracts/servers/agent-protocol.ts';
import { equalBytes, newSecretText } from '#runtime/auth/secret-token.ts';
import type { Log } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';

/** What both sides show of a secret; the secret itself never crosses the wire. */
export type AgentProof = ReturnType<typeof createAgentProof>;

export const createAgentProof = (secret: Secret) => {
  const key = createSecretKey(Buffer.from(secret.reveal(), 'utf8'));
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();
  const textOf = ({ nonce, serverId, agentKey }: HelloFrame) => agentProofText(nonce, serverId, agentKey);
  const isProven = (text: string, proof: string) => equalBytes(Buffer.from(proof, 'base64url'), mac(text));
  return {
    /** Whether the agent knows the secret. */
    isSecretProven: (hello: HelloFrame): boolean => isProven(textOf(hello), hello.proof),
    /** Whether the maker of this proof over the text knows the secret. */
    isProven,
    /** Whether the agent holds the key that it names. Runs off the main thread. */
    isKeyProven: (hello: HelloFrame): Promise<boolean> =>
      isSignedBy(hello.agentKey, textOf(hello), hello.signature),
    /** Proof that the API knows the secret, for the `welcome`. */
    ofApi: (hello: HelloFrame): string =>
      mac(apiProofText(hello.clientNonce, hello.serverId)).toString('base64url'),
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

export const agentSecretColumn = sealedColumn({
  table: 'game_agents',
  key: ['server_id'],
  column: 'secret',
  describe: ([id]) => `The own secret of the Game Agent of the server ${id}`,
});

/**
 * By the agent's own secret; null if it has none. If the secret cannot be read, no agent is admitted: the shared secret
 * must not open the server in the meantime.
 */
export const ownProof = (
  secrets: Secrets,
  serverId: string,
  sealed: string | null,
  log: Log,
): AgentProof | null => {
  if (sealed === null) return null;
  const opened = secrets.open(agentSecretColumn, [serverId], sealed);
  if (opened.outcome !== 'open')
    log.warn(
      { serverId, outcome: opened.outcome },
      "could not read a Game Agent's own secret; rejecting it until it is enrolled again",
    );
  return createAgentProof(opened.outcome === 'open' ? opened.secret : new Secret(newSecretText()));
};

/** Nonces for polling agents. They are not stored: each carries its time and a MAC under a key of this process alone. */
export type Nonces = ReturnType<typeof createNonces>;

const randomLength = 12;
const timeLength = 6;
const macLength = 16;
const nonceLength = randomLength + timeLength + macLength;
/** Some 20 MB; an agent that fills it knows the secret, and then no one gets in by polling for the life of a nonce. */
const mostUsed = 200_000;

/** @param now milliseconds on a monotonic clock */
export const createNonces = (lifeMs: number, now: () => number) => {
  const key = randomBytes(32);
  /** When they would have expired, by nonce; the oldest use comes first. */
  const used = new Map<string, number>();

  const macOf = (head: Buffer) => createHmac('sha256', key).update(head).digest().subarray(0, macLength);
  const forgetExpired = () => {
    for (const [nonce, usedAtMs] of used) {
      if (now() - usedAtMs <= lifeMs) return;
      used.delete(nonce);
    }
  };

  return {
    issue(): string {
      const head = Buffer.alloc(randomLength + timeLength);
      randomBytes(randomLength).copy(head);
      head.writeUIntBE(Math.floor(now()), randomLength, timeLength);
      return Buffer.concat([head, macOf(head)]).toString('base64url');
    },
    /** Whether it was issued here, and not too long ago. */
    isFresh(nonce: string): boolean {
      const bytes = Buffer.from(nonce, 'base64url');
      // One spelling each: another spelling of the same bytes would count as unused.
      if (bytes.length !== nonceLength || bytes.toString('base64url') !== nonce) return false;
      const head = bytes.subarray(0, randomLength + timeLength);
      if (!equalBytes(bytes.subarray(head.length), macOf(head))) return false;
      return now() - head.readUIntBE(randomLength, timeLength) <= lifeMs;
    },
    /** False when it was used before. Only for a fresh nonce that comes with a proof: others must cost no memory. */
    use(nonce: string): boolean {
      forgetExpired();
      if (used.has(nonce) || used.size >= mostUsed) return false;
      used.set(nonce, now());
      return true;
    },
  };
};
