/** The one channel for calls, and the one for events. By itself, since what is between page and desktop loads nothing else. */
export const desktopChannels = { call: 'castellan:call', event: 'castellan:event' } as const;

/** How the desktop hands a page the origin of the API's WebSocket: an argument of its process. */
export const liveOriginArgument = '--castellan-live-origin=';
