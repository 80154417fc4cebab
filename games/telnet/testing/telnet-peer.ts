import type { Socket } from 'node:net';
import { type RawPeer, startRawPeer } from '../../wire/testing/raw-peer.ts';

export const banner = [
  '*** Connected with 7DTD server.',
  '*** Server version: V 1.4 (b8) Compatibility Version: V 1.4',
  '*** Dedicated server only build',
  '',
  'Server IP:   Any',
  'Game mode:   GameModeSurvival',
  '',
  "Press 'help' to get a list of all commands. Press 'exit' to end session.",
  '',
];

export interface TelnetPeerOptions {
  /** Empty: none is required. */
  readonly password?: string;
  /** Answers a command; null: replies like the game to an unknown command. */
  onCommand?(command: string, say: (...lines: string[]) => void, socket: Socket): string[] | null;
  /** Transforms every outgoing text. */
  write?(socket: Socket, text: string): void;
  readonly prompt?: string | Buffer;
}

export interface TelnetPeer extends RawPeer {
  readonly commands: string[];
}

/** A game's telnet console; the test decides what it answers to commands. */
export const startTelnetPeer = async (options: TelnetPeerOptions = {}): Promise<TelnetPeer> => {
  const { password = 'correct horse', write = (socket, text) => void socket.write(text) } = options;
  const commands: string[] = [];
  const peer = await startRawPeer((socket) => {
    let isLoggedIn = password === '';
    const say = (...lines: string[]) => write(socket, lines.map((line) => `${line}\r\n`).join(''));
    const answer = (command: string) => {
      const isFence = /^fence[0-9a-f]{24}$/.test(command);
      if (!isFence) commands.push(command);
      const lines = isFence ? null : (options.onCommand?.(command, say, socket) ?? null);
      const echo = `2026-11-21T10:00:00 123.456 INF Executing command '${command}' by Telnet from 127.0.0.1:50000`;
      say(echo, ...(lines ?? [`*** ERROR: unknown command '${command}'`]));
    };
    const login = (given: string) => {
      isLoggedIn = given === password;
      if (isLoggedIn) say('', 'Logon successful.', '', ...banner);
      else write(socket, 'Password incorrect, please enter password:');
    };
    let pending = '';
    socket.on('data', (bytes) => {
      const lines = (pending + bytes.toString()).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        if (isLoggedIn) answer(line);
        else login(line);
      }
    });
    if (isLoggedIn) say(...banner);
    else socket.write(options.prompt ?? 'Please enter password:');
  });
  return Object.assign(peer, { commands });
};
