import type { accessProblems } from '../access.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const accessProblemsPtBr: Readonly<Record<keyof typeof accessProblems, ProblemTexts>> = {
  FORBIDDEN: {
    title: 'Não permitido',
    meaning: 'Quem fez o pedido é conhecido, mas não pode fazer isto.',
    remedy: 'Peça a permissão a um proprietário.',
  },
  PERSON_REQUIRED: {
    title: 'Somente para pessoas',
    meaning:
      'Chaves de API e o bot do Discord não criam contas, funções, chaves nem redefinições, seja o que for que possam fazer.',
    remedy: 'Entre como pessoa ou use o desktop ou o comando castellan na própria máquina.',
  },
  STEP_UP_REQUIRED: {
    title: 'Confirme que é você',
    meaning:
      'Isto exige a sua senha ou um código do segundo fator mais uma vez, há no máximo 10 minutos; no desktop, uma confirmação ali mesmo.',
    remedy:
      'Faça de novo e confirme quando for perguntado. Scripts enviam antes a senha ou um código a POST /api/me/step-up com a mesma sessão.',
  },
  UNAUTHENTICATED: {
    title: 'Entre primeiro',
    meaning: 'O pedido não traz uma credencial válida ou não vem desta própria máquina.',
    remedy: 'Entre na sua conta ou faça o pedido na própria máquina, sem proxy.',
  },
  CROSS_ORIGIN: {
    title: 'Pedido de outro site',
    meaning: 'Um navegador enviou este pedido com o cookie dele, mas não de uma página desta instalação.',
    remedy:
      'Use o próprio painel; scripts enviam um bearer token. Alterações por cookie precisam de Origin ' +
      '(ou Sec-Fetch-Site) deste host e de Content-Type: application/json.',
  },
  WRONG_CREDENTIALS: {
    title: 'Nome, senha ou código incorreto',
    meaning:
      'Nenhum administrador habilitado tem este nome e esta senha, ou o código está errado, já foi usado ' +
      'ou está fora do prazo.',
    remedy:
      'Tente de novo; um proprietário, ou castellan admin reset-password na própria máquina, pode definir ' +
      'uma nova senha.',
  },
  SETUP_LINK_INVALID: {
    title: 'Link de configuração inválido',
    meaning: 'O link não é o mais recente ou o primeiro proprietário já existe.',
    remedy: 'Use o link do setup-link.txt na pasta home; se o arquivo não existir, entre na sua conta.',
  },
  NAME_TAKEN: {
    title: 'Nome já em uso',
    meaning:
      'Já existe outro com este nome, ou com um que parece igual; maiúsculas e minúsculas contam como iguais.',
    remedy: 'Escolha outro nome.',
  },
  LAST_OWNER: {
    title: 'O último proprietário',
    meaning: 'A alteração não deixaria nenhum proprietário que possa entrar.',
    remedy: 'Antes, torne outro administrador proprietário.',
  },
  ROLE_IN_USE: {
    title: 'Função em uso',
    meaning: 'Há administradores com esta função, em geral ou em um servidor.',
    remedy: 'Antes, dê a eles outra função.',
  },
  TOTP_STATE: {
    title: 'A verificação em duas etapas não está nesse estado',
    meaning: 'Ela já está ativada, não está ativada ou o cadastro não foi iniciado.',
    remedy: 'Veja o estado em GET /api/me e comece de novo.',
  },
};
