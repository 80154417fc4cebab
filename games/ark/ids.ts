import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlayerReference } from '../game.ts';

const steamId = /^7656\d{13}$/;
const eosId = /^[0-9a-f]{32}$/i;
/** A 32-bit number that the game gives each survivor; no console command lists it. */
const survivorId = /^[1-9]\d{0,9}$/;
const mostSurvivorId = 0xff_ff_ff_ff;

/** `steam:…` or `eos:…` for an id that the console shows; null for anything else. */
export const parsePlatformId = (shown: string): string | null => {
  if (steamId.test(shown)) return `steam:${shown}`;
  return eosId.test(shown) ? `eos:${shown.toLowerCase()}` : null;
};

/** The id for kick, ban, whitelist and messages, or why there is none. */
export const commandIdFor = ({
  platformId,
  handle,
}: PlayerReference): { id: string } | { refused: string } => {
  const known = [platformId?.replace(/^(?:steam|eos):/, ''), handle].filter((id) => id !== undefined);
  const usable = known.find((id) => steamId.test(id) || eosId.test(id));
  if (usable !== undefined) return { id: usable.toLowerCase() };
  return {
    refused: known.length === 0 ? reasons['ark-platform-id-first'] : reasons['ark-platform-id-shape'],
  };
};

/** The id for gifts, or why there is none. */
export const survivorIdFor = ({ handle }: PlayerReference): { id: string } | { refused: string } =>
  handle !== undefined && survivorId.test(handle) && Number(handle) <= mostSurvivorId
    ? { id: handle }
    : {
        refused: reasons['survivor-number-first'],
      };
