/** The help explains them. 69, 75, 77 and 78 are from sysexits. */
export const exitCodes = {
  failure: 1,
  usage: 2,
  checkFailed: 3,
  alreadyRunning: 69,
  /** A new version is in place, and the service starts it. */
  renewed: 75,
  noPermission: 77,
  config: 78,
} as const;
