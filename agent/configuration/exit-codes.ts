/** The help explains them. */
export const exitCodes = { failure: 1, usage: 2, checkFailed: 3, alreadyRunning: 69, config: 78 } as const;
