import type { StoreForms } from '../store-forms.ts';
import { quotableName, readTemplateReply, renderTemplate, type TemplateWords } from '../store-template.ts';
import { itemFault, mostAtOnce } from './give.ts';
import { platformIdFor } from './ids.ts';
import { items } from './items.ts';
import { longestCommandBytes } from './limits.ts';

/** Commands that take an id would take such a name for another player's. */
const looksLikeId = /^(?:\d+|[0-9a-f]{32})$/i;

const words: TemplateWords = {
  player: (name, place) =>
    looksLikeId.test(name.normalize('NFKC'))
      ? { refused: "The player's name looks like an id; use {platformId}." }
      : quotableName(name, place),
  platformId(platformId) {
    const known = platformIdFor({ platformId });
    return 'id' in known ? { word: known.id } : known;
  },
  handle: (handle) =>
    /^[0-9A-Za-z]{1,64}$/.test(handle) ? { word: handle } : { refused: 'This is no id of an ARK player.' },
};

/** Its replies prove nothing, and its gifts go to the survivor's number on that server. */
export const store: StoreForms = {
  mostAtOnce,
  provesGifts: false,
  needsSurvivorNumber: true,
  itemFault,
  items,
  renderTemplate: (template, values) => renderTemplate(template, values, words, longestCommandBytes),
  readTemplateReply,
  referenceOf: ({ survivorNumber }) => (survivorNumber === null ? {} : { handle: survivorNumber }),
  guard: null,
};
