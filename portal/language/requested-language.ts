import type { Request, Response } from 'express';
import { type Language, languages, spokenLanguage } from '#contracts/kernel/language.ts';
import type { Cookies } from '#runtime/auth/cookies.ts';

const languageCookie = 'castellan_language';
const keptMs = 365 * 86_400_000;

const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text);

/** The user's language according to the client's `Accept-Language`; null if it names none that is supported. */
export const acceptedLanguage = (request: Request): Language | null =>
  spokenLanguage(request.acceptsLanguages());

/** The language that a browser's user has chosen here, otherwise the one that the browser asks for, otherwise English. */
export const requestedLanguage = (request: Request, cookies: Cookies): Language => {
  const chosen = cookies.read(request, languageCookie);
  return isLanguage(chosen) ? chosen : (acceptedLanguage(request) ?? languages[0]);
};

/** Stores the chosen language for a year; an unsupported one changes nothing. */
export const chooseLanguage = (response: Response, cookies: Cookies, wanted: string | null): void => {
  if (isLanguage(wanted)) cookies.set(response, languageCookie, wanted, keptMs);
};
