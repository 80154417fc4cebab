import { expect, test } from 'vitest';
import { reasons } from '#contracts/kernel/reasons.ts';
import { wordDetail, wordReason } from './reasons.words.ts';

// Guarantee: the API's own sentences are shown in the reader's language, with the names and the sentences within them;
// what is stored is the English text, so older rows are translated too.
test.each([
  ['Cancelled by Ada.', 'Cancelado por Ada.'],
  ['Cancelled from the command line.', 'Cancelado pela linha de comando.'],
  [
    'The quantity must be a whole number from 1 to 6400.',
    'A quantidade precisa ser um número inteiro de 1 a 6400.',
  ],
  [
    'Part 2: After the item, only complete [components] or {data} can follow.',
    'Parte 2: Depois do item só podem vir [componentes] ou {dados} completos.',
  ],
  [
    'Paused automatically: Part 1 cannot be delivered: The game does not know this item.',
    'Pausado automaticamente: A parte 1 não pode ser entregue: O jogo não conhece este item.',
  ],
  ['Connection reset by peer', 'Connection reset by peer'],
])('%s', (said, inPortuguese) => {
  expect(wordReason(said, 'en')).toBe(said);
  expect(wordReason(said, 'pt-BR')).toBe(inPortuguese);
});

// Guarantee: no sentence stays in English, and none loses the names in it.
test('every sentence is worded', () => {
  for (const sentence of Object.values(reasons)) {
    const count = typeof sentence === 'string' ? 0 : sentence.length;
    const values = Array.from({ length: count }, (_, index) => `«value ${index}»`);
    const said =
      typeof sentence === 'string' ? sentence : (sentence as (...all: string[]) => string)(...values);
    const worded = wordReason(said, 'pt-BR');
    expect(worded).not.toBe(said);
    for (const value of values) expect(worded).toContain(value);
  }
});

// Guarantee: a refusal that begins with a product's name keeps it; texts by others are not mistaken for the API's.
test('the detail of a problem', () => {
  const said = 'Chest: gold: The limit is 1 per member; this member has 0.';
  expect(wordDetail(said, 'en')).toBe(said);
  expect(wordDetail(said, 'pt-BR')).toBe('Chest: gold: O limite é de 1 por membro; este membro tem 0.');
  expect(wordDetail('It has already ended.', 'pt-BR')).toBe('Já terminou.');
  expect(wordDetail('read ECONNRESET: the peer is gone', 'pt-BR')).toBeNull();
});

const gone = [
  reasons['database-gone']('/srv/x. y/data', 'superuser.password, encryption-keys.json'),
  reasons['database-connect'],
  reasons['database-restore'],
  reasons['database-anew']('/srv/x. y/superuser.password, /srv/x. y/encryption-keys.json'),
].join(' ');
const noAccess = [
  reasons['folder-closed']('KEEP\\eva', 'D:\\Jogos. 2\\Castellan'),
  reasons['folder-closed-advice'],
  reasons['folder-closed-command']('icacls "D:\\Jogos. 2\\Castellan" /grant "KEEP\\eva:(OI)(CI)F" /T'),
].join(' ');

// Guarantee: a state is shown in the reader's language, however many sentences it has; if one of them has no code, all stay unchanged.
test.each([
  [
    noAccess,
    'A conta KEEP\\eva não tem acesso a D:\\Jogos. 2\\Castellan. Se o Castellan roda ali para outra conta deste computador, entre com ela. Senão, peça acesso ao dono da pasta ou a um administrador e tente de novo. O administrador abre o menu Iniciar, digita cmd, escolhe Executar como administrador e digita: icacls "D:\\Jogos. 2\\Castellan" /grant "KEEP\\eva:(OI)(CI)F" /T',
  ],
  [
    gone,
    'Não há banco de dados em /srv/x. y/data, mas havia um: ele deixou superuser.password, encryption-keys.json. Se ele está em outro disco, conecte esse disco e inicie o Castellan de novo. Restaure um backup se o banco de dados foi perdido. Para começar com um banco de dados vazio: primeiro saia do Castellan, depois mova /srv/x. y/superuser.password, /srv/x. y/encryption-keys.json para outra pasta, por exemplo para a área de trabalho. Ao iniciar de novo, o Castellan cria um novo.',
  ],
  [
    'Nothing listens on 192.0.2.7:25575. Error code: ECONNREFUSED.',
    'Nada escuta em 192.0.2.7:25575. Código do erro: ECONNREFUSED.',
  ],
  [
    'Signed in as Keep#1. It works on the Discord server St. Keep.',
    'Conectado como Keep#1. Trabalha no servidor do Discord St. Keep.',
  ],
  [
    'The last backup failed: The database does not answer. There is no backup yet.',
    'O último backup falhou: O banco de dados não responde. Ainda não há backup.',
  ],
  ['No word from: Mr. X, Island and 2 more.', 'Sem notícias de: Mr. X, Island e mais 2.'],
  ['Connecting. The moon is full.', null],
])('%s', (said, inPortuguese) => {
  expect(wordDetail(said, 'pt-BR')).toBe(inPortuguese);
});

// Guarantee: a long text in which a sentence could begin anywhere takes almost no time to read.
test('a hostile text', () => {
  const said = 'Connecting. '.repeat(5000);
  expect(wordDetail(`${said}?`, 'pt-BR')).toBeNull();
});
