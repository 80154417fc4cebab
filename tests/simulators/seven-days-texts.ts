import type { Player, WorldObserver } from './world.ts';

/** The banner after a login; a client is ready for commands after the line that says what to press. */
export const banner = (port: number): readonly string[] => [
  '*** Connected with 7DTD server.',
  '*** Server version: V 2.4 (b7) Compatibility Version: V 2.4',
  '*** Dedicated server only build',
  '',
  'Server IP:   Any',
  `Server port: ${port}`,
  'Max players: 8',
  'Game mode:   GameModeSurvival',
  'World:       Navezgane',
  'Game name:   My Game',
  'Difficulty:  2',
  '',
  "Press 'help' to get a list of all commands. Press 'exit' to end session.",
  '',
];

/** The game's own status line, every half minute. */
export const noiseLine = (): string =>
  'Time: 12.50m FPS: 38.46 Heap: 2893.5MB Max: 3127.9MB Chunks: 324 CGO: 115 Ply: 2 Zom: 4 Ent: 7 (12) Items: 1 CO: 2 RSS: 6274.3MB';

const ids = ({ numericId, platformId, crossId, name }: Player) =>
  `EntityID=${numericId}, PltfmId='${platformId}', CrossId='${crossId}', OwnerID='${platformId}', PlayerName='${name}', ClientNumber='1'`;

export const loggingOfSevenDays = (log: (message: string) => void): WorldObserver => ({
  joined(player) {
    const { name, numericId, platformId, crossId } = player;
    log(`PlayerLogin: ${name}/V 2.4`);
    log(
      `Player connected, entityid=${numericId}, name=${name}, pltfmid=${platformId}, crossid=${crossId}, steamOwner=${platformId}, ip=127.0.0.1`,
    );
    log(`PlayerSpawnedInWorld (reason: JoinMultiplayer, position: -120, 61, 845): ${ids(player)}`);
    log(`GMSG: Player '${name}' joined the game`);
  },
  left(player) {
    log(`Player disconnected: ${ids(player)}`);
    log(`GMSG: Player '${player.name}' left the game`);
  },
  chatted: ({ name, platformId, numericId }, text) =>
    log(`Chat (from '${platformId}', entity id '${numericId}', to 'Global'): '${name}': ${text}`),
});
