import { reasons } from '#contracts/kernel/reasons.ts';
import type { StoreForms } from '../store-forms.ts';
import { quotableName, readTemplateReply, renderTemplate, type TemplateWords } from '../store-template.ts';
import { isRefusal, readAnswer } from './answers.ts';
import { isUserId, readShopId, userIdOf } from './ids.ts';
import { longestCommandBytes } from './limits.ts';

const idWord = (word: string | null) =>
  word === null ? { refused: reasons['palworld-id-first'] } : { word };

const words: TemplateWords = {
  player: quotableName,
  platformId: (id) => idWord(userIdOf(id)),
  handle: (handle) => idWord(isUserId(handle) ? handle : null),
};

const noItems: readonly never[] = [];

/** The API gives no items; only commands can be sold, such as an announcement. */
export const store: StoreForms = {
  mostAtOnce: 1,
  provesGifts: false,
  needsSurvivorNumber: false,
  itemFault: () => reasons['no-give-command'],
  items: () => noItems,
  itemKey: (id) => id,
  renderTemplate: (template, values) => renderTemplate(template, values, words, longestCommandBytes),
  readTemplateReply: (reply, patterns, values) =>
    isRefusal(reply) ? readAnswer(reply, '') : readTemplateReply(reply, patterns, values),
  bareIdPlatform: null,
  readOwnId: readShopId,
  referenceOf: ({ platformId, handle }) => ({
    platformId: platformId ?? undefined,
    handle: handle ?? undefined,
  }),
  guard: null,
  sample: { platformId: 'steam:76561197960265729', handle: 'steam_76561197960265729' },
};
