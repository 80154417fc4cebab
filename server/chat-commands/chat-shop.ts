import type { Kysely } from 'kysely';
import type { Product } from '#contracts/store.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import { type AccountCommandsOptions, createAccountCommands } from './account-commands.ts';
import { createAsking } from './asking.ts';
import { type BuyCommandOptions, createBuyCommand } from './buy-command.ts';
import { type ChatCommands, createChatCommands } from './chat-commands.ts';
import { type ChatSettings, chatLanguage, readChatRules } from './chat-rules.ts';
import { createConfirmations } from './confirmations.ts';
import { readLastPurchase, readPurchaseOf } from './last-purchase.ts';
import { createLinkCommand, type LinkCommandOptions } from './link-command.ts';
import { createPrivateAnswers, type PrivateAnswersOptions } from './private-answers.ts';
import { createRedeemCommand, type RedeemCommandOptions } from './redeem-command.ts';
import { createShopCommand } from './shop-command.ts';
import { createShownLists, productsOn } from './shop-list.ts';
import { createSurvivorCommand, type SurvivorCommandOptions } from './survivor-command.ts';

export interface ChatShopOptions
  extends Pick<PrivateAnswersOptions, 'whisper' | 'say'>,
    Pick<AccountCommandsOptions, 'deliveries' | 'claimExtras'> {
  readonly db: Kysely<Tables>;
  readonly settings: ChatSettings;
  readonly server: (
    id: string,
  ) => { readonly id: string; readonly clusterId: string; readonly game: string } | null;
  readonly forSale: () => Promise<readonly Product[]>;
  readonly members: LinkCommandOptions['members'];
  readonly orders: BuyCommandOptions['orders'];
  readonly redeem: RedeemCommandOptions['redeem'];
  readonly survivor: Pick<SurvivorCommandOptions, 'isKnown' | 'store'>;
  readonly licenseHolds: () => boolean;
  readonly now?: () => number;
  readonly log: Log;
}

export interface ChatShop extends ChatCommands {
  /** Deletes questions that were not answered in time. @returns how many */
  deleteExpired(): Promise<number>;
}

/** Everything that players type to Castellan in the chat of their games. */
export const createChatShop = (options: ChatShopOptions): ChatShop => {
  const { db, settings, server, forSale, members, orders, deliveries, log, now = Date.now } = options;
  const { ofPlayer } = members;
  const rules = () => readChatRules(settings);
  const answers = createPrivateAnswers({
    whisper: options.whisper,
    say: options.say,
    language: () => chatLanguage(settings),
    mayBroadcast: async () => (await rules()).mayBroadcast,
    log,
  });
  const confirmations = createConfirmations(db, now);
  const asking = createAsking({ confirmations, answers, now });
  const shown = createShownLists(now);
  const products = async (serverId: string) => {
    const found = server(serverId);
    return found ? productsOn(await forSale(), found) : [];
  };
  const isArk = (serverId: string) => server(serverId)?.game.startsWith('ark') === true;
  const common = { ofPlayer, asking, answers, rules, products, shown, isArk, now };
  const chatCommands = createChatCommands({
    commands: [
      createShopCommand(common),
      createBuyCommand({
        ...common,
        orders,
        lastPurchase: (line, since) => readLastPurchase(db, line, since),
        purchaseOf: (line) => readPurchaseOf(db, line),
        isSurvivorKnown: options.survivor.isKnown,
      }),
      ...createAccountCommands({ ...common, deliveries, claimExtras: options.claimExtras }),
      createRedeemCommand({ ...common, redeem: options.redeem }),
      createLinkCommand({ ...common, members }),
      createSurvivorCommand({
        ...common,
        isKnown: options.survivor.isKnown,
        store: options.survivor.store,
        wake: deliveries.wake,
      }),
    ],
    rules,
    mayAct: options.licenseHolds,
    async tellTooFast(line, waitMs) {
      await answers.tell(line, (await answers.words()).tooFast(Math.ceil(waitMs / 1000)));
    },
    now,
    log,
  });
  return { ...chatCommands, deleteExpired: confirmations.deleteExpired };
};
