import type { UpdateTroubleCode } from '#contracts/desktop/desktop-updates.ts';
import { StartupError } from '#runtime/program.ts';

/** What kept an update from continuing; expected, and shown in words. */
export class UpdateTroubleError extends StartupError {
  readonly code: UpdateTroubleCode;

  constructor(code: UpdateTroubleCode, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.code = code;
  }
}

/** A fault of the file system becomes the trouble `disk`; any other error is returned unchanged. */
export const asDiskTrouble = (error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof UpdateTroubleError) return error;
  const detail = code === 'ENOSPC' ? 'The disk is full.' : (error as Error).message;
  return new UpdateTroubleError('disk', detail, error);
};
