/** A whole Source RCON frame may have 4,096 bytes, ten of which are not part of the command. */
export const longestCommandBytes = 4086;
