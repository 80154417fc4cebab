import type { GameRehearsal } from '../rehearsal-layout.ts';
import { minecraftSetting, setMinecraftSettings } from './settings-file.ts';

/** Options of the game and Bukkit that would override the settings in the copy (net.minecraft.server.Main, org.bukkit.craftbukkit.Main). */
const portOptions = /^(?:--port|--server-port|-p|--host|--server-ip|-h|--config|-c)(?:=|$)/;
/** Ports and agents of the JVM that the running server already uses. */
const jvmPorts = /^-(?:agentlib:jdwp|Xrunjdwp|Dcom\.sun\.management\.jmxremote\.port)/;
const worldOptions = /^(?:--universe|--world-container|--world-dir|-W)(?:=|$)/;

const outside = /^(?:[\\/]|[a-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/i;

export const minecraftRehearsal: GameRehearsal = {
  leftOut:
    /^(?:logs|crash-reports|debug|backups?|simplebackups|dumps?|bluemap|dynmap|\.castellan.*|hs_err_pid.*|.*\.hprof|.*\.(?:zip|tar|gz|tgz|7z|rar|bak))$/i,
  ports: 1,
  async whyNot(server, args) {
    const odd = args.find((arg) => portOptions.test(arg) || jvmPorts.test(arg) || worldOptions.test(arg));
    if (odd !== undefined)
      return `The start command has ${odd.replace(/=.*/s, '')}, which a copy beside the running server cannot have, too. Put it into server.properties instead.`;
    const content = await server.read('server.properties');
    if (content === null) return 'There is no server.properties in the folder of the server yet.';
    const level = minecraftSetting(content, 'level-name')?.trim() || 'world';
    const bukkit = (await server.read('bukkit.yml'))?.toString('utf8') ?? '';
    // https://docs.papermc.io/paper/reference/bukkit-configuration/
    const container =
      /^\s*["']?world-container["']?\s*:\s*["']?([^"'#\r\n]*)/m.exec(bukkit)?.[1]?.trim() ?? '';
    return [level, container].some((path) => outside.test(path))
      ? 'The world of the server lies outside its folder.'
      : null;
  },
  settingsFile: () => 'server.properties',
  // https://minecraft.wiki/w/Server.properties; on a loopback address no player finds it.
  change: (content, { port, consolePort, password }) =>
    setMinecraftSettings(content, {
      'server-ip': '127.0.0.1',
      'server-port': String(port),
      'enable-query': 'false',
      'query.port': String(port),
      'enable-rcon': 'true',
      'rcon.port': String(consolePort),
      'rcon.password': password.reveal(),
      'enable-jmx-monitoring': 'false',
      'management-server-enabled': 'false',
    }),
};
