/** The game reads a command's frame in one read and ignores anything more. */
export const longestCommandBytes = 1446;
