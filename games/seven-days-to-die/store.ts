import type { StoreForms } from '../store-forms.ts';
import { quotableName, readTemplateReply, renderTemplate, type TemplateWords } from '../store-template.ts';
import { itemFault, mostAtOnce } from './give.ts';
import { listedPlayer, presentPlayer, presentPlayerOrName, readShopId } from './ids.ts';
import { items } from './items.ts';
import { longestCommandBytes } from './limits.ts';

const words: TemplateWords = {
  player(name, place) {
    // Refuses a name that the game would read as another player's id.
    const flat = presentPlayerOrName({ name: name.normalize('NFKC') });
    return 'refused' in flat ? flat : quotableName(name, place);
  },
  platformId: (platformId) => listedPlayer({ platformId }),
  handle: (handle) => presentPlayer({ handle }),
};

/** The game answers `Dropped item` when it dropped the gift, and keeps no record of it. */
export const store: StoreForms = {
  mostAtOnce,
  provesGifts: true,
  needsSurvivorNumber: false,
  itemFault,
  items,
  itemKey: (id) => id,
  renderTemplate: (template, values) => renderTemplate(template, values, words, longestCommandBytes),
  readTemplateReply,
  bareIdPlatform: 'eos',
  readOwnId: readShopId,
  referenceOf: ({ player, platformId, handle }) => ({
    name: player ?? undefined,
    platformId: platformId ?? undefined,
    handle: handle ?? undefined,
  }),
  guard: null,
  sample: { platformId: 'steam:76561197960265729', handle: '1' },
};
