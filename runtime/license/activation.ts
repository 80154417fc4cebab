import type { RefusalCode } from '#contracts/license-refusals.ts';
import type { Answer } from './portal/answer.ts';

/** The result of an activation; every failure that can be expected is a value. `detail` is for people. */
export type Activation =
  | { readonly outcome: 'activated' }
  /** Mistyped: the checksum does not match, nothing was sent. */
  | { readonly outcome: 'invalid-key'; readonly detail: string }
  | { readonly outcome: 'hwid-unavailable'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly code: RefusalCode | 'UNAUTHORIZED'; readonly detail: string }
  | {
      readonly outcome: 'rate-limited';
      /** Null when the portal did not say. */
      readonly retryAfterSeconds: number | null;
      readonly detail: string;
    }
  | { readonly outcome: 'unreachable'; readonly detail: string }
  /** The portal answered with a token signed by a key that LICENSE_SERVER_PUBLIC_KEY does not vouch for. */
  | { readonly outcome: 'wrong-environment'; readonly kid: string; readonly detail: string }
  /** Accepted by the portal, but license.json could not be written; its old content is intact. */
  | { readonly outcome: 'not-saved'; readonly detail: string };

export const activationFailure = (answer: Exclude<Answer, { kind: 'confirmed' }>): Activation => {
  const { detail } = answer;
  switch (answer.kind) {
    case 'refused':
      return { outcome: 'refused', code: answer.code, detail };
    case 'unauthorized':
      return { outcome: 'refused', code: 'UNAUTHORIZED', detail };
    case 'rate-limited': {
      const { retryAfterMs } = answer;
      const retryAfterSeconds = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1000);
      return { outcome: 'rate-limited', retryAfterSeconds, detail };
    }
    case 'wrong-environment':
      return { outcome: 'wrong-environment', kid: answer.kid, detail };
    case 'unreachable':
      return { outcome: 'unreachable', detail };
  }
};
