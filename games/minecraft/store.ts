import { reasons } from '#contracts/kernel/reasons.ts';
import type { StoreForms, TemplateValues } from '../store-forms.ts';
import {
  readTemplateReply,
  renderTemplate,
  type TemplatePlace,
  type TemplateWord,
  type TemplateWords,
} from '../store-template.ts';
import { floodgateUuid, readXuid } from '../xuid.ts';
import { guard, mostGuarded } from './guard.ts';
import { items } from './items.ts';
import { longestCommandBytes } from './limits.ts';
import { nameFor } from './names.ts';

/** A name that needs quotes gets its own only where it stands alone. */
const nameWord = (name: string, { isQuoted, isAlone }: TemplatePlace): TemplateWord => {
  const who = nameFor({ name });
  if ('refused' in who) return who;
  if (isQuoted || who.word === who.name) return { word: who.name };
  return isAlone ? { word: who.word } : { refused: reasons['name-within-word'] };
};

/** UUIDs contain nothing that would need quotes. */
const words: TemplateWords = {
  player: nameWord,
  handle: nameWord,
  platformId(id) {
    const [uuid] = /(?<=^minecraft:)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(id) ?? [];
    return uuid === undefined ? { refused: reasons['minecraft-uuid-shape'] } : { word: uuid };
  },
};

const known = (value: string | null): string | undefined => value ?? undefined;
const referenceOf = ({ player, platformId, handle }: TemplateValues) => ({
  name: known(player),
  platformId: known(platformId),
  handle: known(handle),
});

/** An item whose guarded gift would be too long is refused before it is bought. */
const longestMark = 'm'.repeat(48);
const anyPlayer = 'minecraft:00000000-0000-0000-0000-000000000000';

export const store: StoreForms = {
  mostAtOnce: mostGuarded,
  provesGifts: true,
  needsSurvivorNumber: false,
  itemFault(item, quality) {
    const longest = guard.render(
      { id: longestMark, give: { player: { platformId: anyPlayer }, item, quantity: mostGuarded, quality } },
      'namespaced',
    );
    return 'refused' in longest ? longest.refused : null;
  },
  items,
  // With its namespace, and without data.
  itemKey(id) {
    const [plain = ''] = id.split(/[[{]/, 1);
    return plain.includes(':') ? plain : `minecraft:${plain}`;
  },
  renderTemplate: (template, values) => renderTemplate(template, values, words, longestCommandBytes),
  readTemplateReply,
  bareIdPlatform: 'minecraft',
  readOwnId(text) {
    const bedrock = readXuid(text);
    return bedrock === null ? null : `minecraft:${floodgateUuid(bedrock)}`;
  },
  referenceOf,
  guard,
  sample: { platformId: 'minecraft:00000000-0000-4000-8000-000000000000', handle: 'Player' },
};
