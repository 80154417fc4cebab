import { WebSocket } from 'ws';
import { outside } from '#runtime/outside/outside.ts';

/**
 * The connection to Discord's gateway goes the way of this process to everything outside. discord.js passes no agent on
 * (discordjs/discord.js#10716), and `ws` does not ask the global one.
 */
class GatewaySocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[], options: WebSocket.ClientOptions = {}) {
    super(url, protocols, { ...options, agent: outside().agentFor(new URL(url)) });
  }
}

// @discordjs/ws takes the class from this property when it is loaded, so the program loads this module first; that of its CommonJS form is set again by `ws` itself.
Object.defineProperty(WebSocket, 'WebSocket', { get: () => GatewaySocket, set: () => undefined });
