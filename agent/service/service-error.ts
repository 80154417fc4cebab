import { ownCommand } from '../configuration/own-command.ts';

/** Its message says why the service cannot be installed or controlled, and what to do. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
}

/** Only an administrator may do this. */
export class NeedsRightsError extends ServiceError {
  override readonly name = 'NeedsRightsError';

  /** @param home where root's default would differ */
  constructor(action: string, home?: string) {
    const typed = `${ownCommand()} ${action}${home === undefined ? '' : ` --home "${home}"`}`;
    super(
      process.platform === 'win32'
        ? `Only an administrator may do this. Open PowerShell with “Run as administrator” and run: ${typed}`
        : `Only root may do this. Run: sudo ${typed}`,
    );
  }
}
