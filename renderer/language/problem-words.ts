import type { Language } from '#contracts/language.ts';
import type { ProblemTexts } from '#contracts/problems/problem-entry.ts';
import type { ProblemCode } from '#contracts/problems.ts';
import { AnswerNotUnderstood, ApiAway, ApiProblem } from '../wire/api-problem.ts';
import { defineWords } from './define-words.ts';

/** A trouble in words for people. */
export interface ProblemWords {
  readonly title: string;
  /** What happened. */
  readonly text: string;
  /** What to do about it; null when there is nothing to do. */
  readonly remedy: string | null;
}

const words = defineWords(
  {
    away: {
      title: 'No answer',
      text: 'The API does not answer at the moment.',
      remedy: 'This page goes on by itself once it does.',
    },
    version: {
      title: 'Different versions',
      text: 'The API answered something that this panel does not know.',
      remedy: 'Reload the page; if it stays, restart Castellan so that both are of one version.',
    },
    panel: {
      title: 'Something went wrong in the panel',
      remedy: 'Reload the page.',
    },
    wait: (seconds: number) => `Wait ${seconds} s, then try again.`,
  },
  {
    away: {
      title: 'Sem resposta',
      text: 'A API não responde no momento.',
      remedy: 'Esta página continua sozinha assim que ela responder.',
    },
    version: {
      title: 'Versões diferentes',
      text: 'A API respondeu algo que este painel não conhece.',
      remedy: 'Recarregue a página; se continuar, reinicie o Castellan para que ambos tenham a mesma versão.',
    },
    panel: {
      title: 'Algo deu errado no painel',
      remedy: 'Recarregue a página.',
    },
    wait: (seconds: number) => `Espere ${seconds} s e tente de novo.`,
  },
);

interface Loaded {
  readonly texts: Readonly<Record<ProblemCode, ProblemTexts>>;
  readonly english: Readonly<Record<ProblemCode, ProblemTexts>>;
  /** The API's `detail` in this language; null where the API has no code for it. */
  readonly wordDetail: (detail: string) => string | null;
}
const loaded = new Map<Language, Loaded>();

const load = async (language: Language): Promise<Loaded> => {
  if (language === 'en') {
    const { problems } = await import('#contracts/problems.ts');
    return { texts: problems, english: problems, wordDetail: (detail) => detail };
  }
  const [{ problems }, { problemsPtBr }, { wordDetail }] = await Promise.all([
    import('#contracts/problems.ts'),
    import('#contracts/problems-pt-br.ts'),
    import('./reasons.words.ts'),
  ]);
  return { texts: problemsPtBr, english: problems, wordDetail: (detail) => wordDetail(detail, language) };
};

/** Fetches the texts of a language, which are too long for the first load; without them problems are told as the API words them. */
export const loadProblemWords = async (language: Language): Promise<void> => {
  if (loaded.has(language)) return;
  await load(language).then(
    (found) => loaded.set(language, found),
    () => undefined,
  );
};

/** Undefined until they are fetched, and for a code that this panel does not know. */
export const loadedProblemTexts = (code: ProblemCode, language: Language): ProblemTexts | undefined =>
  loaded.get(language)?.texts[code];

/** The API's `detail` says in English what is particular to this case; where it has no code, only its kind is worded. */
export const problemWords = (error: unknown, language: Language): ProblemWords => {
  const { away, version, panel, wait } = words[language];
  if (error instanceof ApiAway) return away;
  if (error instanceof AnswerNotUnderstood) return version;
  if (!(error instanceof ApiProblem))
    return { ...panel, text: error instanceof Error ? error.message : String(error) };
  const { code, document, retryAfterSeconds } = error;
  const inLanguage = loaded.get(language);
  const known = code && inLanguage?.texts[code];
  // A remedy that came as the detail, for those who read no documentation, is told once.
  const isRemedy = code && document.detail === inLanguage?.english[code]?.remedy;
  const own = isRemedy ? undefined : document.detail;
  const worded = own && inLanguage?.wordDetail(own);
  const meaning = known?.meaning ?? document.title;
  const asSaid = own && (language === 'en' || !known ? own : `${meaning} (${own})`);
  return {
    title: known?.title ?? document.title,
    text: worded || asSaid || meaning,
    remedy: retryAfterSeconds === null ? (known?.remedy ?? null) : wait(retryAfterSeconds),
  };
};
