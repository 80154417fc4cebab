/** The line by which a program on trial says on standard output that a server is connected. */
export const connectedLine = (serverId: string): string => `connected ${serverId}`;
