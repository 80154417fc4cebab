import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';

const mustBeAddress = 'must be an address such as https://panel.example.com';
const mustHaveNoPath = 'must be a host name without a path: the panel answers only at its root';

/** The origin at which people and shops reach the API from outside, such as `https://panel.example.com`; empty: none is known. */
export const publicAddressText = z
  .string()
  .trim()
  // The panel's own address as browsers show it ends with the page that is open.
  .overwrite((text) => text.replace(/\/?#.*$/s, ''))
  .max(200)
  .refine((text) => !/^https?:\/\/[^\s/?#@\\]+\/[^\s?@\\]+$/i.test(text), {
    error: mustHaveNoPath,
    abort: true,
  })
  .regex(/^(?:https?:\/\/[^\s/?#@\\]+\/?)?$/i, { error: mustBeAddress, abort: true })
  // A pattern cannot tell what a browser takes for an address.
  .refine((text) => text === '' || z.url().safeParse(text).success, mustBeAddress);

/** @returns without the slash at its end; null: none */
export const publicOrigin = (text: string): string | null =>
  text === '' ? null : text.replace(/\/$/, '').toLowerCase();

/**
 * Why an address does not lead here.
 * - `unknown-name`: its name has no address
 * - `no-answer`: nothing answers, as far as this machine can tell
 * - `certificate`: its certificate is not valid for it
 * - `redirected`: it leads to another address, which shops do not follow
 * - `someone-else`: something else answers
 */
const addressFaults = ['unknown-name', 'no-answer', 'certificate', 'redirected', 'someone-else'] as const;
export type AddressFault = (typeof addressFaults)[number];

/**
 * What a proxy hides, although the address leads here.
 * - `host`: it passes on another host, so that only the public address of the settings is known to be ours
 * - `protocol`: the API takes the address for one without TLS
 * - `senders`: every visitor seems to come from the proxy
 */
const addressWarnings = ['host', 'protocol', 'senders'] as const;
export type AddressWarning = (typeof addressWarnings)[number];

export const addressCheck = z
  .object({
    address: z.string(),
    fault: z.enum(addressFaults).nullable(),
    /** What stands in the way, as `reasons` has it; the address that a redirect leads to; null: nothing more is known. */
    detail: z.string().nullable(),
    /** Whether its name leads to the public internet; false: only your own network reaches it. */
    isPublic: z.boolean(),
    /** Without TLS anyone on the way can read passwords; shops refuse such an address. */
    isEncrypted: z.boolean(),
    warnings: z.array(z.enum(addressWarnings)),
  })
  .meta({ id: 'AddressCheck' });
export type AddressCheck = z.infer<typeof addressCheck>;

/** What the API saw of a request to it, and the proof that it is this one. */
export const seenRequest = z.object({
  proof: z.string(),
  host: z.string(),
  protocol: z.string(),
  /** Whether a proxy has named the sender, and the API believes it; null: no proxy has. */
  believesProxy: z.boolean().nullable(),
});
export type SeenRequest = z.infer<typeof seenRequest>;

export const publicAddressHttp = {
  seen: endpoint({
    method: 'GET',
    path: '/api/address-check/:nonce',
    summary:
      'Return how a request to this address arrives at the API, with a proof that only this API can give',
    access: 'public',
    params: z.object({ nonce: z.string().regex(/^[\w-]{16,64}$/) }),
    response: seenRequest,
    problems: [],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/community/address-check',
    summary: 'Check whether an address leads to this API, as far as can be told from its own machine',
    access: 'settings.write',
    body: z.strictObject({ address: publicAddressText.min(1) }),
    response: addressCheck,
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN', 'RATE_LIMITED'],
  }),
} as const;
