/** Characters of all cached answers. */
const mostKept = 24 * 1024 * 1024;

interface KeptAnswer {
  readonly etag: string;
  readonly body: string;
  /** When the source last confirmed it, on the monotonic clock. */
  readonly at: number;
}

/** Answers that the source need not send again; the least recently used go first. */
export const createAnswerCache = (most = mostKept) => {
  const answers = new Map<string, KeptAnswer>();
  let kept = 0;

  const remove = (url: string): void => {
    const answer = answers.get(url);
    if (!answer) return;
    kept -= sizeOf(url, answer);
    answers.delete(url);
  };

  return {
    get(url: string): KeptAnswer | null {
      const answer = answers.get(url);
      if (!answer) return null;
      answers.delete(url);
      answers.set(url, answer);
      return answer;
    },
    put(url: string, answer: KeptAnswer): void {
      remove(url);
      if (sizeOf(url, answer) > most / 4) return;
      answers.set(url, answer);
      kept += sizeOf(url, answer);
      for (const oldest of answers.keys()) {
        if (kept <= most) return;
        remove(oldest);
      }
    },
    get size(): number {
      return kept;
    },
  };
};

const sizeOf = (url: string, { etag, body }: KeptAnswer): number => url.length + etag.length + body.length;
