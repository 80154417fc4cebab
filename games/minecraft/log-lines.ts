import type { LineSeverity } from '#contracts/servers/console.ts';
import type { LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { prefixes, undecorated } from './names.ts';
import { readPluginAnswer } from './plugin-answers.ts';

/**
 * What the game and its loaders write before each line of the level INFO:
 *
 *     [12:34:56] [Server thread/INFO]: …                          the game, Spigot, Fabric
 *     [12:34:56] [Server thread/INFO] [minecraft/DedicatedServer]: …   Forge; the same with a class on NeoForge
 *     [12:34:56] [Server thread/INFO] (Minecraft) …               Fabric with its own layout
 *     [12:34:56 INFO]: …, [12:34:56 INFO] [chat]: …               Paper's console, Velocity
 *     [12:34:56] [INFO]: …, [12:34:56 INFO] …                     layouts without a thread
 *     12:34:56.789 [Server thread] INFO  net.minecraft.Server - … log4j's own layout
 *     2013-06-27 12:34:56 [INFO] …                                before 1.7
 *     November 29th 2026, 12:34:56 [INFO]: …                      flying-squid
 */
const bracketStamp = String.raw`\[[^\]]{1,60}(?:\] \[(?:[^\]]{1,80}\/)?| )INFO\](?:(?: \[[^\]]{1,120}\])?: | \([^()]{1,80}\) )`;
const plainStamp = String.raw`(?:(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2,8} \d{1,2}[a-z]{2} \d{4},) )?\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?:\[[^\]]{1,80}\] INFO {1,2}[\w.$]{1,120} - |\[INFO\]:? )`;
/** Since 26.3 before what the game itself says to all players (github.com/TISUnion/PrimeBackup/issues/112, MCDReforged/MCDReforged#430). */
const systemChat = '(?:System chat: )?';
const stamp = new RegExp(`^(?:${bracketStamp}|${plainStamp})${systemChat}(?<said>.*)$`);
const chat = /^(?:\[Not Secure\] )?<(?<name>[^<>]{1,80})> (?<text>.+)$/;
const bedrockPrefix = `[${prefixes}]`;
/** The bare name, and nothing before it: a decorated one could be a player's chat (`[Steve] Bob joined the game`). */
const comingAndGoing = new RegExp(
  String.raw`^(?<name>${bedrockPrefix}?\w{1,16}|${bedrockPrefix}\w{1,16}(?: \w{1,15}){1,3})(?: \(formerly known as \w{1,16}\))? (?<what>joined|left) the game$`,
);

/** Players' ids are on separate lines, so they are not known here. */
export const readLogLine = (line: string): LogObservation | null => {
  const said = stamp.exec(plainLogLine(line) ?? '')?.groups?.said;
  if (said === undefined) return null;
  const spoken = chat.exec(said)?.groups;
  if (spoken?.name !== undefined && spoken.text !== undefined)
    return { kind: 'chat', player: named(undecorated(spoken.name)), text: spoken.text };
  const { name, what } = comingAndGoing.exec(said)?.groups ?? {};
  if (name === undefined) return null;
  return { kind: what === 'joined' ? 'join' : 'leave', player: named(name) };
};

/** `[12:34:56] [Server thread/WARN]: `, and `[12:34:56 ERROR]: ` on a Paper console. */
const level = /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )(?<level>WARN|ERROR|FATAL)\]/;

export const severityOf = (line: string): LineSeverity | null => {
  const found = level.exec(plainLogLine(line) ?? '')?.groups?.level;
  if (found === undefined) return null;
  return found === 'WARN' ? 'warn' : 'error';
};

/** Also `[06May2020 12:34:56.789]`, as Forge writes it into its file. */
const ownTime =
  /^\[(?:\d{1,2}\w{3}\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:\] (?:\[[^\]]{1,80}\/INFO\](?: \[[^\]]{1,120}\])?: )?| INFO\]: )/;

export const stampLength = (line: string): number => ownTime.exec(line)?.[0].length ?? 0;

const sayCommand = /^\/?(?:minecraft:)?say (?<text>.+)$/;
/** Unsigned messages are marked since 1.19.1; plug-ins may take the mark away (github.com/KaspianDev/AntiPopup/issues/13). */
const ownSaying = /^(?:\[Not Secure\] )?\[(?:Rcon|Server)\] (?<text>.*)$/;
const withoutBlanks = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `say` is repeated in the log and has no reply: by RCON as `[Rcon]`, typed into the console as `[Server]`. */
export const readLogAnswer = (command: string) => {
  const text = sayCommand.exec(command)?.groups?.text;
  if (text === undefined) return readPluginAnswer(command);
  const own = withoutBlanks(plainLogLine(text) ?? text);
  return (line: string): string | null => {
    const repeated = ownSaying.exec(saidIn(line) ?? '')?.groups?.text;
    return repeated !== undefined && isWrittenAs(own, withoutBlanks(repeated))
      ? `[Rcon] ${text.trim()}`
      : null;
  };
};

/** A log in a code page has question marks for the letters that it lacks, two of them for an emoji (TownyAdvanced/Towny#3385). */
const isWrittenAs = (own: string, written: string): boolean => {
  if (written === own) return true;
  if (!/[?\u{fffd}]/u.test(written)) return false;
  const letters = own.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const lenient = letters.replace(/[^ -~]/gu, (letter) => `(?:${letter}|[?\u{fffd}]{1,2})`);
  return new RegExp(`^${lenient}$`, 'u').test(written);
};

/** What a line of the level INFO says behind its stamp; null for all other lines. */
export const saidIn = (line: string): string | null =>
  stamp.exec(plainLogLine(line) ?? '')?.groups?.said ?? null;

const named = (name: string) => ({ name, platformId: null });
