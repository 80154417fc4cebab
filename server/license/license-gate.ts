import type { RequestHandler } from 'express';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { isFromThisMachine } from '#runtime/http/this-machine.ts';
import { Problem } from '#runtime/problem.ts';

/**
 * Null while the license lets requests pass; otherwise the answer to every request.
 * @param isLocal whether the request comes from this machine, the only one that may learn its hardware ID
 */
export const licenseRefusal = (
  { state, code, detail, hwid }: LicenseStatus,
  isLocal: () => boolean = () => false,
): Problem | null => {
  if (state === 'valid' || state === 'grace') return null;
  const fault = code ?? 'LICENSE_REQUIRED';
  return new Problem(fault, {
    detail,
    extensions: { license: { state, code: fault, detail, ...(isLocal() ? { hwid } : {}) } },
  });
};

export interface LicenseGateOptions {
  readonly refusal: (isLocal?: () => boolean) => Problem | null;
  /** The panel's own files, so that it can say what is wrong. */
  readonly isPanelFile: (method: string, path: string) => boolean;
  /** Events from outside shops, which are kept: people have paid, and their shop does not resend them forever. */
  readonly isWebhook: (method: string, path: string) => boolean;
}

/** Comes before everything else, so that no path, method or broken body gets past it, with two exceptions. */
export const licenseGate =
  ({ refusal, isPanelFile, isWebhook }: LicenseGateOptions): RequestHandler =>
  (request, _response, next) => {
    const problem = refusal(() => isFromThisMachine(request));
    const { method, path } = request;
    if (problem && !isPanelFile(method, path) && !isWebhook(method, path)) throw problem;
    next();
  };
