import type { AttachmentPayload } from 'discord.js';
import { communityHttp } from '#contracts/operations/community-http.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import type { ApiClient } from '../api-client.ts';
import { cut } from '../cut.ts';
import type { Reply } from './command.ts';
import { longest } from './text.ts';

/** After this long, the API is asked again. */
const keptMs = 60_000;
/** An answer without the community's name is still an answer. */
const deadlineMs = 2000;

/** The community that the bot speaks for. */
export interface Community {
  readonly name: string | null;
  readonly logo: AttachmentPayload | null;
}
const nameless: Community = { name: null, logo: null };

/** The community as the API last reported it. Never fails: while the API is unreachable, the last known one holds. */
export const followCommunity = (
  api: ApiClient,
  now = () => performance.now(),
): (() => Promise<Community>) => {
  let known = nameless;
  let sha256: string | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;

  const read = singleFlight(async (): Promise<Community> => {
    const query = sha256 === null ? {} : { known: sha256 };
    const answer = await api.call(communityHttp.ofBot, { query }, { deadlineMs }).catch(() => null);
    if (!answer) return known;
    const { name, logo } = answer;
    const picture = logo?.picture;
    const attachment = picture
      ? {
          attachment: Buffer.from(picture, 'base64'),
          name: `logo-${logo.sha256.slice(0, 16)}.${logo.mediaType.replace('image/', '')}`,
        }
      : known.logo;
    known = { name, logo: logo ? attachment : null };
    sha256 = logo?.sha256 ?? null;
    readAtMs = now();
    return known;
  });
  return async () => (now() - readAtMs < keptMs ? known : read());
};

/** Puts a reply under the community's name; the logo is attached where the store speaks. */
export const signReply = (reply: Reply, { name, logo }: Community, hasLogo: boolean): Reply => {
  const [first, ...others] = reply.embeds ?? [];
  if (!first || name === null) return reply;
  const icon = hasLogo ? logo : null;
  const author = {
    name: cut(name, longest.title),
    ...(icon && { icon_url: `attachment://${icon.name}` }),
  };
  return {
    ...reply,
    embeds: [{ ...('toJSON' in first ? first.toJSON() : first), author }, ...others],
    ...(icon && { files: [...(reply.files ?? []), icon] }),
  };
};
