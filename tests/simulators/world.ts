export interface Player {
  readonly name: string;
  /** As this game's player list shows it: a UUID, a SteamID64, an EOS id, `Steam_…`. */
  readonly platformId: string;
  /** `EOS_…` in 7 Days to Die only; elsewhere the same as the platform id. */
  readonly crossId: string;
  /** An entity id, or ARK's in-game player id. */
  readonly numericId: number;
}

/** An item that really reached a player, no matter what happened to the reply. */
export interface Given {
  readonly player: string;
  readonly item: string;
  readonly quantity: number;
  /** Null if none was requested. */
  readonly quality: number | null;
}

/** A message of the game to its players; `to` is null for all of them. */
export interface Message {
  readonly to: string | null;
  readonly text: string;
}

export interface WorldObserver {
  joined(player: Player): void;
  left(player: Player, reason: string | null): void;
  chatted(player: Player, text: string): void;
}

export interface WorldOptions {
  readonly identify: (name: string) => Pick<Player, 'platformId' | 'crossId'>;
  readonly firstNumericId: number;
  /** Items that the game knows. */
  readonly items: Iterable<string>;
  readonly observer: WorldObserver;
  /** Called in the same tick in which the item reached the player, before any reply. */
  readonly onGiven?: ((given: Given) => void) | undefined;
}

/** A game's world in memory: the truth that tests compare with the product's records. */
export interface World {
  readonly players: readonly Player[];
  /** Every executed gift. */
  readonly given: readonly Given[];
  give(given: Given): void;
  /** Executed command lines, in order. */
  readonly commands: string[];
  /** Command lines that reached the game after login, executed or not, known or not. */
  readonly received: string[];
  readonly messages: Message[];
  /** Chat names that differ from the player's name, by player name. Two players may have the same one. */
  readonly nicknames: Map<string, string>;
  /** Reasons by id or name, as the game stores it. */
  readonly bans: Map<string, string>;
  readonly whitelist: Set<string>;
  readonly items: Set<string>;
  saves: number;
  /** The game was told to shut down by its console. */
  onShutdown: () => void;
  /** A returning player is the same player with the same ids. Throws for one who is online or banned. */
  join(name: string, ids?: Partial<Pick<Player, 'platformId' | 'crossId' | 'numericId'>>): Player;
  /** Throws for a player who is not online, as chat does. */
  leave(name: string, reason?: string): void;
  chat(name: string, text: string): void;
  /** Removes all players without logging, as when the game is killed. */
  vanish(): void;
  named(name: string): Player | undefined;
  mayJoin(name: string): boolean;
}

export const createWorld = ({ identify, firstNumericId, items, observer, onGiven }: WorldOptions): World => {
  const given: Given[] = [];
  const known = new Map<string, Player>();
  const online = new Map<string, Player>();
  const present = (name: string): Player => {
    const player = online.get(name);
    if (!player) throw new Error(`${name} is not on the server`);
    return player;
  };
  const remember = (name: string): Player =>
    known.get(name) ?? { name, ...identify(name), numericId: firstNumericId + known.size };
  const isBanned = ({ name, platformId, crossId }: Player) =>
    [name, platformId, crossId].some((key) => world.bans.has(key));

  const world: World = {
    get players() {
      return [...online.values()];
    },
    given,
    give(one) {
      given.push(one);
      onGiven?.(one);
    },
    commands: [],
    received: [],
    messages: [],
    nicknames: new Map(),
    bans: new Map(),
    whitelist: new Set(),
    items: new Set(items),
    saves: 0,
    onShutdown: () => undefined,
    join(name, ids = {}) {
      if (online.has(name)) throw new Error(`${name} is on the server already`);
      const player: Player = { ...remember(name), ...ids };
      if (isBanned(player)) throw new Error(`${name} is banned`);
      known.set(name, player);
      online.set(name, player);
      observer.joined(player);
      return player;
    },
    leave(name, reason) {
      const player = present(name);
      online.delete(name);
      observer.left(player, reason ?? null);
    },
    chat: (name, text) =>
      observer.chatted({ ...present(name), name: world.nicknames.get(name) ?? name }, text),
    vanish: () => online.clear(),
    named: (name) => world.players.find((player) => player.name.toLowerCase() === name.toLowerCase()),
    mayJoin: (name) => !online.has(name) && !isBanned(remember(name)),
  };
  return world;
};
