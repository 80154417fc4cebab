import type { UpdateTroubleCode } from '#contracts/desktop-updates.ts';
import { StartupError } from '#runtime/program.ts';

/** What kept an update from continuing; expected, and shown in words. */
export class UpdateTroubleError extends StartupError {
  readonly code: UpdateTroubleCode;

  constructor(code: UpdateTroubleCode, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.code = code;
  }
}
