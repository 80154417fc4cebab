import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { communityFace, logoPath } from './community.ts';

/** The panel shrinks the logo before it uploads it; every sign-in page loads it. */
export const logoLimits = { bytes: 256 * 1024, pixels: 512 } as const;

export const communityHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/community',
    summary:
      "Return the community's name, language and logo, as shown on the sign-in page; supports ETag conditions",
    access: 'public',
    response: communityFace,
    contentType: 'application/json',
    sends: true,
    problems: ['DATABASE_UNAVAILABLE'],
  }),
  logo: endpoint({
    method: 'GET',
    path: logoPath,
    summary: "Return the community's logo as PNG, JPEG or WebP; supports ETag conditions",
    access: 'public',
    response: z.string(),
    contentType: 'image/*',
    sends: true,
    problems: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  ofBot: endpoint({
    method: 'GET',
    path: '/api/internal/bot/community',
    summary: "Return the community's name and logo to the bot; a logo it already has is not sent again",
    access: 'bot.report',
    query: z.object({ known: z.string().max(64).optional() }),
    response: z.object({
      name: z.string().nullable(),
      /** Null: there is none. */
      logo: z
        .object({
          sha256: z.string(),
          mediaType: z.string(),
          /** Null if the bot already has this logo. */
          picture: z.base64().nullable(),
        })
        .nullable(),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  setLogo: endpoint({
    method: 'PUT',
    path: logoPath,
    summary:
      "Set the community's logo (PNG, JPEG or WebP, at most 256 KiB and 512 pixels per side), or remove it; refused if someone else has changed it in the meantime",
    access: 'settings.write',
    body: z.strictObject({
      /** The `logo` that the change is based on. */
      seen: z.string().max(64).nullable(),
      logo: z
        .base64()
        .max(logoLimits.bytes * 2)
        .nullable(),
    }),
    bodyBytes: logoLimits.bytes * 2,
    response: communityFace,
    problems: [
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'CROSS_ORIGIN',
      'CONFLICT',
      'PICTURE_INVALID',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
