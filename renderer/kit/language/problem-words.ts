import type { Language } from '#contracts/kernel/language.ts';
import type { ProblemTexts } from '#contracts/kernel/problems/problem-entry.ts';
import type { ProblemCode, ProblemDocument } from '#contracts/kernel/problems.ts';
import { defineWords } from '#contracts/kernel/words.ts';
import { AnswerNotUnderstood, ApiAway, ApiProblem, ProxyRefusal } from '../api/api-problem.ts';
import { NotSaved } from '../api/send-change.ts';

/** A problem in plain words. */
interface ProblemWords {
  readonly title: string;
  /** What happened. */
  readonly text: string;
  /** What to do about it; null if there is nothing to do. */
  readonly remedy: string | null;
}

const words = defineWords(
  {
    away: {
      title: 'No answer',
      text: 'The API does not answer at the moment.',
      remedy: 'This page goes on by itself once it does.',
    },
    notSaved: {
      title: 'Not saved',
      text: 'The API did not answer, so it is not certain that this was saved. What you typed is still here.',
      remedy: 'Once the API answers, check whether it was saved, and save again if not.',
    },
    version: {
      title: 'Different versions',
      text: 'The API answered something that this panel does not know.',
      remedy: 'Reload the page; if it stays, restart Castellan so that both are of one version.',
    },
    proxy: {
      tooLarge: {
        title: 'Too large for the proxy',
        text: (by: string) => `A proxy in front of Castellan refused this as too large (${by}).`,
        remedy: 'Raise its limit, such as client_max_body_size in nginx or maxAllowedContentLength in IIS.',
      },
      tooMany: {
        title: 'Too many requests for the proxy',
        text: (by: string) =>
          `A proxy in front of Castellan refused this because it limits requests (${by}).`,
        remedy: 'Wait a little, then try again. If it happens often, raise its limit.',
      },
      tooSlow: {
        title: 'Too slow for the proxy',
        text: (by: string) => `A proxy in front of Castellan stopped waiting for this request (${by}).`,
        remedy: 'Try again. If it happens often, raise its time limit.',
      },
      page: {
        title: 'Another page answered',
        text: (by: string) => `A proxy in front of Castellan answered with a page of its own (${by}).`,
        remedy:
          'Reload this page. You may have to sign in at the proxy, or to confirm that you are no robot.',
      },
      cookies: {
        title: 'Too many cookies for the proxy',
        text: (by: string) =>
          `A proxy in front of Castellan refused this because its headers are too long (${by}).`,
        remedy:
          'Delete the cookies of this address in the browser. If it happens often, raise the proxy’s limit, such as large_client_header_buffers in nginx.',
      },
      notPassedOn: {
        title: 'Not passed on',
        text: (by: string) => `A proxy in front of Castellan does not pass this address on (${by}).`,
        remedy: 'Let the proxy pass on everything, unchanged, at the root of a host name of its own.',
      },
      belowPath: {
        title: 'Below a path',
        text: (by: string) =>
          `This page lies below a path, and what answers at the root of its address is not Castellan (${by}).`,
        remedy:
          'Give Castellan its own host name, such as https://panel.example.com, and let the proxy pass on everything from its root.',
      },
      blocked: {
        title: 'Refused on the way',
        text: (by: string) =>
          `A proxy in front of Castellan refused this (${by}). Castellan never saw it, so nothing was done.`,
        remedy:
          'Reload the page. If it stays, check the rules of the proxy: firewall, bot protection, sign-in.',
      },
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
    notSaved: {
      title: 'Não salvo',
      text: 'A API não respondeu, por isso não é certo que isto foi salvo. O que você digitou continua aqui.',
      remedy: 'Quando a API responder, confira se foi salvo e, se não, salve de novo.',
    },
    version: {
      title: 'Versões diferentes',
      text: 'A API respondeu algo que este painel não conhece.',
      remedy: 'Recarregue a página; se continuar, reinicie o Castellan para que ambos tenham a mesma versão.',
    },
    proxy: {
      tooLarge: {
        title: 'Grande demais para o proxy',
        text: (by: string) => `Um proxy na frente do Castellan recusou isto por ser grande demais (${by}).`,
        remedy:
          'Aumente o limite dele, como client_max_body_size no nginx ou maxAllowedContentLength no IIS.',
      },
      tooMany: {
        title: 'Pedidos demais para o proxy',
        text: (by: string) =>
          `Um proxy na frente do Castellan recusou isto porque limita os pedidos (${by}).`,
        remedy: 'Espere um pouco e tente de novo. Se acontecer muito, aumente o limite dele.',
      },
      tooSlow: {
        title: 'Lento demais para o proxy',
        text: (by: string) => `Um proxy na frente do Castellan deixou de esperar por este pedido (${by}).`,
        remedy: 'Tente de novo. Se acontecer muito, aumente o limite de tempo dele.',
      },
      page: {
        title: 'Outra página respondeu',
        text: (by: string) => `Um proxy na frente do Castellan respondeu com uma página própria (${by}).`,
        remedy: 'Recarregue esta página. Talvez você precise entrar no proxy ou confirmar que não é um robô.',
      },
      cookies: {
        title: 'Cookies demais para o proxy',
        text: (by: string) =>
          `Um proxy na frente do Castellan recusou isto porque os cabeçalhos são longos demais (${by}).`,
        remedy:
          'Apague os cookies deste endereço no navegador. Se acontecer muito, aumente o limite do proxy, como large_client_header_buffers no nginx.',
      },
      notPassedOn: {
        title: 'Não repassado',
        text: (by: string) => `Um proxy na frente do Castellan não repassa este endereço (${by}).`,
        remedy: 'Faça o proxy repassar tudo, sem mudanças, na raiz de um nome de host próprio.',
      },
      belowPath: {
        title: 'Abaixo de um caminho',
        text: (by: string) =>
          `Esta página está abaixo de um caminho, e quem responde na raiz do endereço não é o Castellan (${by}).`,
        remedy:
          'Dê ao Castellan um nome de host próprio, como https://painel.example.com, e faça o proxy repassar tudo a partir da raiz.',
      },
      blocked: {
        title: 'Recusado no caminho',
        text: (by: string) =>
          `Um proxy na frente do Castellan recusou isto (${by}). O Castellan nunca o viu, então nada foi feito.`,
        remedy:
          'Recarregue a página. Se continuar, confira as regras do proxy: firewall, proteção contra robôs, login.',
      },
    },
    panel: {
      title: 'Algo deu errado no painel',
      remedy: 'Recarregue a página.',
    },
    wait: (seconds: number) => `Espere ${seconds} s e tente de novo.`,
  },
);

type ProxyFault = keyof (typeof words)['en']['proxy'];
const proxyFaults: Readonly<Record<number, ProxyFault>> = {
  200: 'page',
  404: 'notPassedOn',
  408: 'tooSlow',
  413: 'tooLarge',
  425: 'tooMany',
  429: 'tooMany',
  431: 'cookies',
  494: 'cookies',
};

/** Calls go to the root of the address, whatever folder the page is in. */
const isBelowPath = (): boolean => /^\/[^/]+\//.test(globalThis.location?.pathname ?? '/');

const proxyWords = (
  { status, server, retryAfterSeconds }: Pick<ProxyRefusal, 'status' | 'server' | 'retryAfterSeconds'>,
  language: Language,
): ProblemWords => {
  const { proxy, wait } = words[language];
  const { title, text, remedy } = proxy[isBelowPath() ? 'belowPath' : (proxyFaults[status] ?? 'blocked')];
  const by = server === null ? `${status}` : `${status}, ${server}`;
  return { title, text: text(by), remedy: retryAfterSeconds === null ? remedy : wait(retryAfterSeconds) };
};

interface Loaded {
  readonly texts: Readonly<Record<ProblemCode, ProblemTexts>>;
  readonly english: Readonly<Record<ProblemCode, ProblemTexts>>;
  /** The API's `detail` in this language; null if the API has no code for it. */
  readonly wordDetail: (detail: string) => string | null;
  readonly wordFaults: (faults: NonNullable<ProblemDocument['errors']>) => string | null;
}
const loaded = new Map<Language, Loaded>();

const load = async (language: Language): Promise<Loaded> => {
  const [{ problems }, { wordValueFaults }] = await Promise.all([
    import('#contracts/kernel/problems.ts'),
    import('./value-faults.words.ts'),
  ]);
  const english = problems;
  const wordFaults: Loaded['wordFaults'] = (faults) => wordValueFaults(faults, language);
  if (language === 'en') return { texts: problems, english, wordDetail: (detail) => detail, wordFaults };
  const [{ problemsPtBr }, { wordDetail }] = await Promise.all([
    import('#contracts/kernel/problems-pt-br.ts'),
    import('./reasons.words.ts'),
  ]);
  return { texts: problemsPtBr, english, wordDetail: (detail) => wordDetail(detail, language), wordFaults };
};

/** Fetches the texts of a language, which are too long for the first load; without them problems are shown in the API's words. */
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

/** The API's description of a state, in the reader's language; unchanged if it has no code, or until the words are fetched. */
export const wordedDetail = (detail: string, language: Language): string =>
  loaded.get(language)?.wordDetail(detail) ?? detail;

/** The API's `detail` gives the specifics of this case in English; if it has no code, only the kind of problem is translated. */
export const problemWords = (error: unknown, language: Language): ProblemWords => {
  const { away, notSaved, version, panel, wait } = words[language];
  if (error instanceof NotSaved) return notSaved;
  if (error instanceof ApiAway) return away;
  if (error instanceof ProxyRefusal) return proxyWords(error, language);
  if (error instanceof AnswerNotUnderstood)
    return isBelowPath()
      ? proxyWords({ status: 200, server: null, retryAfterSeconds: null }, language)
      : version;
  if (!(error instanceof ApiProblem))
    return { ...panel, text: error instanceof Error ? error.message : String(error) };
  const { code, document, retryAfterSeconds } = error;
  const inLanguage = loaded.get(language);
  const known = code && inLanguage?.texts[code];
  // If the detail is the remedy itself, for people who read no documentation, it is shown only once.
  const isRemedy = code && document.detail === inLanguage?.english[code]?.remedy;
  const own = isRemedy ? undefined : document.detail;
  const faults = document.errors && inLanguage?.wordFaults(document.errors);
  const worded = faults ?? (own && inLanguage?.wordDetail(own));
  const meaning = known?.meaning ?? document.title;
  const asSaid = own && (language === 'en' || !known ? own : `${meaning} (${own})`);
  return {
    title: known?.title ?? document.title,
    text: worded || asSaid || meaning,
    remedy: retryAfterSeconds === null ? (known?.remedy ?? null) : wait(retryAfterSeconds),
  };
};
