import * as z from 'zod';

const mustBeAddress = 'must be an e-mail address';

/** RFC 5321, section 4.5.3.1. */
const maxLocalLength = 64;
const maxLength = 254;

/** RFC 5322's atoms; RFC 6531 adds letters of other scripts. */
const atoms = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** A quoted local part, without what could end it, a list or an address in a header. */
const quoted = /^"[ !#-;=?-[\]-~]+"$/;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/i;

/** Browsers and Node have it; this project is compiled without the types of either. */
const { URL } = globalThis as unknown as {
  readonly URL: { new (text: string): { readonly hostname: string }; canParse(text: string): boolean };
};

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** What comes along with a copied address. */
const padding =
  /^[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$/g;

/** Japan's mobile providers gave out `a..b` and `a.`, which are local parts only in quotes (PHPMailer/PHPMailer#418). */
const quotedDots = (text: string): string =>
  text.replace(/^(?=[^@"]*(?:\.\.|\.@))([^."@][^"@]*)(?=@[^@]*$)/, (local) =>
    atoms.test(local.replace(/\.+/g, '.').replace(/\.$/, '')) ? `"${local}"` : local,
  );

/** `user@домен.рф` as `user@xn--d1acufc.xn--p1ai`, which every mail server takes; other scripts before the `@` in one form. */
const inOneForm = (pasted: string): string => {
  const text = quotedDots(pasted.replace(padding, '').replace(/(?<=@[^@]*[^@.])\.$/, ''));
  if (isAscii(text)) return text;
  const at = text.lastIndexOf('@');
  if (at === -1) return text;
  const local = text.slice(0, at);
  const host = text.slice(at + 1);
  const isHost = /^[\p{L}\p{M}\p{N}.。．-]+$/u.test(host) && URL.canParse(`http://${host}`);
  const ascii = isAscii(host) || !isHost ? host : new URL(`http://${host}`).hostname;
  // The database knows the case of ASCII letters only.
  return `${isAscii(local) ? local : local.normalize('NFC').toLowerCase()}@${ascii}`;
};

const isMailAddress = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return (
    at > 0 &&
    local.length <= maxLocalLength &&
    (atoms.test(local) || quoted.test(local)) &&
    domain.test(text.slice(at + 1))
  );
};

/**
 * One address and nothing else: no name, list, comment or line break; blanks around it and a final dot are taken off. Domains of every script are stored in ASCII; a local part
 * with other letters is stored in lower case and needs a mail server that knows SMTPUTF8.
 */
export const mailAddress = (message = mustBeAddress) =>
  z.string().overwrite(inOneForm).max(maxLength).refine(isMailAddress, message).meta({ format: 'email' });
