/** The line on standard output by which a program on trial reports that a server is connected. */
export const connectedLine = (serverId: string): string => `connected ${serverId}`;
