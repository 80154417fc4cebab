import * as z from 'zod';
import type { TransferRefusal } from '#contracts/desktop/desktop-transfer.ts';
import type { Endpoint, EndpointBody, EndpointResponse } from '#contracts/kernel/http.ts';
import { problemContentType, problemDocument } from '#contracts/kernel/problems.ts';
import { exchange, type HttpAnswer, retryAfterSecondsOf } from '#runtime/license/portal/exchange.ts';
import { explainFailure } from '#runtime/license/portal/failure.ts';
import { parseJson } from '#runtime/read-json.ts';
import type { Secret } from '#runtime/secret.ts';

interface Asking<E extends Endpoint> {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: EndpointBody<E>;
  readonly session?: Secret;
}

/** The customer area of the license portal, as programs use it. */
export interface CustomerPortal {
  /** Every outcome is a value; it never rejects. */
  ask<const E extends Endpoint>(
    endpoint: E,
    asking?: Asking<E>,
  ): Promise<{ readonly outcome: 'answered'; readonly value: EndpointResponse<E> } | TransferRefusal>;
}

export const createCustomerPortal = ({
  portalUrl,
  proxy,
  timeoutMs = 15_000,
}: {
  readonly portalUrl: string;
  readonly proxy: () => Secret | undefined;
  readonly timeoutMs?: number;
}): CustomerPortal => ({
  async ask(endpoint, { params = {}, body, session } = {}) {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const url = new URL(portalUrl.replace(/\/*$/, path));
    const isChange = endpoint.method !== 'GET';
    let answer: HttpAnswer;
    try {
      answer = await exchange({
        url,
        method: endpoint.method,
        ...(isChange && { body: (body as object | undefined) ?? {} }),
        ...(session && { bearer: session }),
        timeoutMs,
        proxy: proxy(),
      });
    } catch (error) {
      return away(await explainFailure(error, url, proxy()));
    }
    const json = parseJson(answer.text);
    if (answer.status !== 200) return refusalOf(answer, json);
    const read = endpoint.response.safeParse(json);
    if (!read.success)
      return away(`What answers at ${url.host} is not the license portal, or has another version.`);
    return { outcome: 'answered', value: read.data as EndpointResponse<typeof endpoint> };
  },
});

const away = (detail: string): TransferRefusal => ({
  outcome: 'refused',
  code: null,
  detail,
  retryAfterSeconds: null,
  nextFreeAt: null,
});

/** In addition to what every problem document has. */
const tooSoon = z.object({ nextFreeAt: z.iso.datetime() });

const refusalOf = (answer: HttpAnswer, json: unknown): TransferRefusal => {
  const { status, contentType } = answer;
  const { data } = problemDocument.safeParse(json);
  if (contentType !== problemContentType || !data)
    return away(
      `The license portal has a problem, or something else answered in its place (HTTP ${status}). Try again later.`,
    );
  return {
    ...away(data.detail ?? data.title),
    // A refusal without a code rejects the form of the request: the program and the portal have different versions.
    code: data.code ?? 'INVALID_REQUEST',
    retryAfterSeconds: retryAfterSecondsOf(answer),
    nextFreeAt: tooSoon.safeParse(json).data?.nextFreeAt ?? null,
  };
};
