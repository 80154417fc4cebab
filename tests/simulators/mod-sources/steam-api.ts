import { ok, type SourceAnswer, type SourceRequest } from './answers.ts';
import type { Catalogue, Project } from './catalogue.ts';

const appIds = { 'ark-se': 346110, 'seven-days-to-die': 251570, minecraft: 0, 'ark-asa': 0, palworld: 0 };

/**
 * The part of Steam's Web API that needs no key: https://partner.steamgames.com/doc/webapi/ISteamRemoteStorage#GetPublishedFileDetails
 * 64-bit numbers are strings there; a deleted, hidden or friends-only item has the result 9 and nothing else.
 */
export const answerAsSteam = (
  catalogue: Catalogue,
  fileUrl: (path: string) => string,
  request: SourceRequest,
): SourceAnswer => {
  if (request.method === 'GET' && /^\/ISteamWebAPIUtil\/GetServerInfo\/v0*1\/?$/.test(request.path))
    return ok({ servertime: Math.floor(Date.now() / 1000), servertimestring: new Date().toString() });
  if (
    request.method !== 'POST' ||
    !/^\/ISteamRemoteStorage\/GetPublishedFileDetails\/v0*1\/?$/.test(request.path)
  )
    return { status: 404, body: '<html><head><title>Not Found</title></head></html>' };
  const form = new URLSearchParams(request.body);
  const count = Number(form.get('itemcount'));
  const ids = Array.from({ length: count }, (_, index) => form.get(`publishedfileids[${index}]`));
  if (!Number.isInteger(count) || count < 1 || ids.includes(null))
    return { status: 400, body: '<html><head><title>Bad Request</title></head></html>' };
  const projects = catalogue.of('steam');
  return ok({
    response: {
      result: 1,
      resultcount: count,
      publishedfiledetails: ids.map((id) => {
        const project = projects.find((one) => one.id === id);
        return project ? detailsOf(project, fileUrl) : { publishedfileid: id, result: 9 };
      }),
    },
  });
};

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);

const detailsOf = (project: Project, fileUrl: (path: string) => string): object => {
  const newest = project.versions.at(-1);
  return {
    publishedfileid: project.id,
    result: 1,
    creator: '76561197960287930',
    creator_app_id: appIds[project.game],
    consumer_app_id: appIds[project.game],
    filename: '',
    file_size: String(newest?.file.content.length ?? 0),
    file_url: '',
    hcontent_file: '123456789',
    preview_url: fileUrl(`/icons/${project.id}.png`),
    hcontent_preview: '123456789',
    title: project.name,
    description: project.summary,
    time_created: 1_700_000_000,
    time_updated: secondsOf(newest?.publishedAt ?? '2026-01-01T00:00:00Z'),
    visibility: 0,
    banned: 0,
    ban_reason: '',
    subscriptions: 1234,
    favorited: 12,
    lifetime_subscriptions: 2345,
    lifetime_favorited: 23,
    views: 3456,
    tags: [{ tag: 'Structures' }],
  };
};
