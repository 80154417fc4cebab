import { reasons } from '#contracts/kernel/reasons.ts';
import type { StoreForms } from '../store-forms.ts';
import { quotableName, readTemplateReply, renderTemplate, type TemplateWords } from '../store-template.ts';
import { itemFault, mostAtOnce } from './give.ts';
import { commandIdFor } from './ids.ts';
import { items } from './items.ts';
import { longestCommandBytes } from './limits.ts';

/** Commands that take an id would read such a name as another player's id. */
const looksLikeId = /^(?:\d+|[0-9a-f]{32})$/i;

const words: TemplateWords = {
  player: (name, place) =>
    looksLikeId.test(name.normalize('NFKC'))
      ? { refused: reasons['ark-name-like-id'] }
      : quotableName(name, place),
  platformId(platformId) {
    const known = commandIdFor({ platformId });
    return 'id' in known ? { word: known.id } : known;
  },
  handle: (handle) =>
    /^[0-9A-Za-z]{1,64}$/.test(handle) ? { word: handle } : { refused: reasons['ark-id-shape'] },
};

/** Its replies prove nothing, and gifts use the survivor number on that server. */
export const store: StoreForms = {
  mostAtOnce,
  provesGifts: false,
  needsSurvivorNumber: true,
  itemFault,
  items,
  // The bare path of the blueprint.
  itemKey: (id) => /\/[^'"]+/.exec(id)?.[0] ?? id,
  renderTemplate: (template, values) => renderTemplate(template, values, words, longestCommandBytes),
  readTemplateReply,
  bareIdPlatform: 'eos',
  readOwnId: () => null,
  referenceOf: ({ survivorNumber }) => (survivorNumber === null ? {} : { handle: survivorNumber }),
  guard: null,
  sample: { platformId: 'steam:76561197960265729', handle: '76561197960265729' },
};
