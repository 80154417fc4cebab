/** The channel for calls, and the one for events. In a separate file, because the bridge between page and desktop loads nothing else. */
export const desktopChannels = { call: 'castellan:call', event: 'castellan:event' } as const;

/** How the desktop passes a page the origin of the API's WebSocket: as an argument of the page's process. */
export const liveOriginArgument = '--castellan-live-origin=';
