/** Says in words why the service cannot be installed or controlled, and what to do. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
}

/** Only an administrator may do this. */
export class NeedsRightsError extends ServiceError {
  override readonly name = 'NeedsRightsError';

  constructor(action: string) {
    super(
      process.platform === 'win32'
        ? `Only an administrator may do this. Open PowerShell with "Run as administrator" and type it again: castellan-agent ${action}`
        : `Only root may do this. Type: sudo castellan-agent ${action}`,
    );
  }
}
