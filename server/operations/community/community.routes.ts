import { createHash } from 'node:crypto';
import { communityHttp } from '#contracts/operations/community-http.ts';
import { publicAddressHttp } from '#contracts/operations/public-address.ts';
import type { SendAnswer } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { CommunityProfile } from './community.ts';

/** Browsers cache it and ask whether it is still valid. */
const sendKept =
  (content: Buffer, type: string, sha256: string): SendAnswer =>
  async (response) => {
    const etag = `"${sha256.slice(0, 32)}"`;
    response.set({ 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etag });
    if (response.req.get('If-None-Match')?.split(/,\s*/).includes(etag)) response.status(304).end();
    else response.set('Content-Length', String(content.length)).end(content);
  };

export const bindCommunityRoutes = (routes: ApiRoutes, community: CommunityProfile): void => {
  routes.on(publicAddressHttp.seen, async ({ params }, { request }) =>
    community.seeRequest(params.nonce, request),
  );
  routes.on(publicAddressHttp.check, ({ body }, { actor }) => community.checkAddress(body.address, actor));
  routes.on(communityHttp.read, async () => {
    const content = Buffer.from(JSON.stringify(await community.face()));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return sendKept(content, 'application/json; charset=utf-8', sha256);
  });
  routes.on(communityHttp.logo, async () => {
    const logo = await community.logo();
    if (!logo) throw new Problem('NOT_FOUND');
    return sendKept(logo.bytes, logo.mediaType, logo.sha256);
  });
  routes.on(communityHttp.ofBot, async ({ query }) => {
    const [{ name }, logo] = [await community.face(), await community.logo()];
    return {
      name,
      logo: logo && {
        sha256: logo.sha256,
        mediaType: logo.mediaType,
        picture: logo.sha256 === query.known ? null : logo.bytes.toString('base64'),
      },
    };
  });
  routes.on(communityHttp.setLogo, ({ body }, by) => community.setLogo(body, by));
};
