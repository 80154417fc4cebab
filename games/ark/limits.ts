/** A whole frame of Source RCON may have 4,096 bytes, ten of which are not the command's. */
export const longestCommandBytes = 4086;
