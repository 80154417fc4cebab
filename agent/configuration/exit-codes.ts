/** The help explains them. 69 and 78 are those of sysexits; 77 (no permission), too. */
export const exitCodes = {
  failure: 1,
  usage: 2,
  checkFailed: 3,
  alreadyRunning: 69,
  noPermission: 77,
  config: 78,
} as const;
