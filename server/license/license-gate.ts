import type { RequestHandler } from 'express';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { Problem } from '#runtime/problem.ts';

/** Null while the license lets requests pass; otherwise what every request is answered with. */
export const licenseRefusal = ({ state, code, detail, hwid }: LicenseStatus): Problem | null => {
  if (state === 'valid' || state === 'grace') return null;
  const fault = code ?? 'LICENSE_REQUIRED';
  return new Problem(fault, { detail, extensions: { license: { state, code: fault, detail, hwid } } });
};

export interface LicenseGateOptions {
  readonly refusal: () => Problem | null;
  /** The one exception: the panel's own files, so that it can say what is wrong. */
  readonly isPanelFile: (method: string, path: string) => boolean;
}

/** Stands before everything else, so that no path, method or broken body gets past it. */
export const licenseGate =
  ({ refusal, isPanelFile }: LicenseGateOptions): RequestHandler =>
  (request, _response, next) => {
    const problem = refusal();
    if (problem && !isPanelFile(request.method, request.path)) throw problem;
    next();
  };
