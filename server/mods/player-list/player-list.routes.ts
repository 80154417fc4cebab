import type { Language } from '#contracts/kernel/language.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { Problem } from '#runtime/problem.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted, isRefusal } from '../../kernel/http/refusal.ts';
import type { PlayerList } from './player-list.ts';
import { pageLanguage, pagePolicy, renderMissingPage, renderPlayerPage } from './player-page.ts';

/** The community of the page, and the language for readers whose language is unknown. */
export type PlayerPageCommunity = () => Promise<{
  readonly name: string | null;
  readonly language: Language;
}>;

/** Requests per address block: no one is signed in here. */
const requestLimits = { capacity: 30, refillMs: 1000 };

export const bindPlayerListRoutes = (
  routes: ApiRoutes,
  playerList: PlayerList,
  community: PlayerPageCommunity,
  now: () => number = () => performance.now(),
): void => {
  const budget = createTokenBuckets(requestLimits, now);
  const demandBudget = (address: string) => {
    const waitMs = budget.tryTake(countedAddress(address));
    if (waitMs > 0)
      throw new Problem('RATE_LIMITED', { headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } });
  };

  routes.on(modsHttp.sharePlayerList, async ({ params, body }, by) =>
    demandGranted(await playerList.share(params.serverId, body.isShared, by)),
  );
  routes.on(modsHttp.playerList, async ({ params }, { address }) => {
    demandBudget(address);
    return demandGranted(await playerList.read(params.token));
  });
  routes.on(modsHttp.playerPack, async ({ params }, { address }) => {
    demandBudget(address);
    return demandGranted(await playerList.pack(params.token));
  });
  routes.on(modsHttp.playerPage, async ({ params }, { address, request }) => {
    demandBudget(address);
    const list = await playerList.read(params.token);
    const { name, language } = await community();
    const reader = { language: pageLanguage(request.acceptsLanguages(), language), communityName: name };
    const isMissing = isRefusal(list);
    const html = isMissing
      ? renderMissingPage(reader)
      : renderPlayerPage(list, modsHttp.playerPack.path.replace(':token', params.token), reader);
    return async (response) => {
      response
        .status(isMissing ? 404 : 200)
        .set({ 'Content-Security-Policy': pagePolicy, 'Cache-Control': 'no-store', Vary: 'Accept-Language' })
        .type('html')
        .send(html);
    };
  });
};
