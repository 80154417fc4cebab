import type { StorefrontContext } from '../storefront-context.ts';
import type { Asking } from './asking.ts';
import type { PrivateAnswers } from './private-answers.ts';
import type { ShownLists } from './shop-list.ts';

/** What commands in the chat share. */
export interface ChatContext extends StorefrontContext {
  readonly answers: PrivateAnswers;
  readonly asking: Asking;
  readonly shown: ShownLists;
}

export const isArk = ({ servers }: Pick<StorefrontContext, 'servers'>, serverId: string): boolean =>
  servers.get(serverId)?.game.startsWith('ark') === true;
