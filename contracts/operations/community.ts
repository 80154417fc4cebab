import * as z from 'zod';
import { languages } from '../kernel/language.ts';

/** What the sign-in page shows; public. */
export const communityFace = z
  .object({
    /** Null: no name has been set yet. */
    name: z.string().nullable(),
    /** For people who have not chosen their own; null: none is set for the community. */
    language: z.enum(languages).nullable(),
    /** SHA-256 of the logo; null: there is none. */
    logo: z.string().nullable(),
  })
  .meta({ id: 'CommunityFace' });
export type CommunityFace = z.infer<typeof communityFace>;

export const community = communityFace
  .extend({
    /** IANA name, for people who have not chosen their own; null: none is set for the community. */
    timeZone: z.string().nullable(),
    /** Where people and shops reach the API from outside, such as `https://panel.example.com`; null: not known. */
    publicAddress: z.string().nullable(),
  })
  .meta({ id: 'Community' });
export type Community = z.infer<typeof community>;

/** The path of the logo, which anyone may load. */
export const logoPath = '/api/community/logo';
