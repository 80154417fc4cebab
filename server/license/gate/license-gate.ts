import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import {
  type LicenseRefusal,
  type LicenseStatus,
  licenseCheckHeader,
} from '#contracts/license/license-state.ts';
import { isFromThisMachine } from '#runtime/http/this-machine.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalQuestion } from '../check/license-check.ts';

/**
 * Null while the license lets requests pass; otherwise the answer to every request.
 * @param isLocal whether the request comes from this machine, the only one that may learn its hardware ID
 */
export const licenseRefusal = (
  { state, code, detail, hwid, lastCheck, customerAreaUrl }: LicenseStatus,
  isLocal: () => boolean = () => false,
): Problem | null => {
  if (state === 'valid' || state === 'grace') return null;
  const fault = code ?? 'LICENSE_REQUIRED';
  const license: LicenseRefusal = {
    state,
    code: fault,
    detail,
    ...(isLocal() && { hwid }),
    ...(lastCheck && { lastCheck: { at: lastCheck.at, outcome: lastCheck.outcome } }),
    ...(customerAreaUrl !== undefined && { customerAreaUrl }),
  };
  return new Problem(fault, { detail, extensions: { license } });
};

/** Comes before everything else, so that no path, method or broken body gets past it, with two exceptions. */
export const licenseGate =
  ({
    refusal,
    isPanelFile,
    isWebhook,
    portal,
    log,
    patienceMs = 12_000,
  }: {
    readonly refusal: (isLocal?: () => boolean) => Problem | null;
    /** The panel's own files, so that it can say what is wrong. */
    readonly isPanelFile: (method: string, path: string) => boolean;
    /** Events from outside shops, which are kept: people have paid, and their shop does not resend them forever. */
    readonly isWebhook: (method: string, path: string) => boolean;
    /** Asked first for a request that wants it, unless it was asked just now. */
    readonly portal: Pick<PortalQuestion, 'waitMs' | 'ask'>;
    readonly log: Log;
    /** How long such a request waits for the portal: default 12 s, longer than one exchange with it may take. */
    readonly patienceMs?: number;
  }): RequestHandler =>
  async (request, _response, next) => {
    const { method, path } = request;
    const refused = () => {
      const problem = refusal(() => isFromThisMachine(request));
      return problem && !isPanelFile(method, path) && !isWebhook(method, path) ? problem : null;
    };
    if (refused() && request.headers[licenseCheckHeader.toLowerCase()] && portal.waitMs() === 0)
      await withPatience(
        portal.ask({ unlessAsked: true }).catch((error: unknown) => {
          log.warn({ err: error }, 'could not check the license for a page that is waiting for it');
        }),
        patienceMs,
      );
    const problem = refused();
    if (problem) throw problem;
    next();
  };

/** The question itself goes on. */
const withPatience = async (question: Promise<unknown>, patienceMs: number): Promise<void> => {
  const answered = new AbortController();
  await Promise.race([
    question.finally(() => answered.abort()),
    delay(patienceMs, undefined, { signal: answered.signal, ref: false }).catch(() => 'answered in time'),
  ]);
};
