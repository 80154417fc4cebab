import type { accessProblems } from '../access.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const accessProblemsPtBr: Readonly<Record<keyof typeof accessProblems, ProblemTexts>> = {
  FORBIDDEN: {
    title: 'Não permitido',
    meaning: 'Você não tem a permissão para isto.',
    remedy: 'Peça a permissão a um proprietário.',
  },
  PERSON_REQUIRED: {
    title: 'Somente para pessoas',
    meaning:
      'Chaves de API e o bot do Discord não podem criar contas, funções ou chaves nem redefinir senhas, sejam quais forem os direitos deles.',
    remedy: 'Entre como pessoa, ou use o desktop ou o comando castellan na própria máquina.',
  },
  STEP_UP_REQUIRED: {
    title: 'Confirme que é você',
    meaning:
      'Isto precisa da sua senha ou de um código do segundo fator, digitado nos últimos 10 minutos; no desktop, de uma confirmação ali mesmo.',
    remedy:
      'Tente de novo e confirme quando for pedido. Scripts enviam antes a senha ou um código a POST /api/me/step-up na mesma sessão.',
  },
  UNAUTHENTICATED: {
    title: 'Entre primeiro',
    meaning: 'Você não entrou na sua conta, ou a sua sessão terminou.',
    remedy: 'Entre na sua conta. Programas desta máquina não precisam entrar quando pedem sem proxy.',
  },
  CROSS_ORIGIN: {
    title: 'Pedido de outro site',
    meaning: 'Um navegador enviou este pedido com o cookie dele, mas não de uma página desta instalação.',
    remedy:
      'Use o próprio painel; scripts enviam um bearer token. Alterações por cookie precisam de ' +
      'Sec-Fetch-Site: same-origin (ou Origin deste host) e de Content-Type: application/json. ' +
      'Atrás de um proxy que muda o Host, defina o endereço público nas configurações, na própria máquina.',
  },
  WRONG_CREDENTIALS: {
    title: 'Nome, senha ou código incorreto',
    meaning:
      'Nenhum administrador ativo tem este nome e esta senha, ou o código está errado, já foi usado ou venceu.',
    remedy:
      'Tente de novo. Se os códigos são recusados, deixe o celular ajustar data e hora automaticamente: um relógio um minuto errado gera códigos errados. ' +
      'Um proprietário pode definir uma nova senha, ou na própria máquina: castellan admin reset-password',
  },
  SETUP_LINK_INVALID: {
    title: 'Link de configuração inválido',
    meaning: 'Há um link mais recente, ou o primeiro proprietário já existe.',
    remedy: 'Use o link do setup-link.txt na pasta de dados. Se o arquivo não existir, entre na sua conta.',
  },
  NAME_TAKEN: {
    title: 'Nome já em uso',
    meaning: 'Este nome já está em uso, ou um que parece igual. Maiúsculas e minúsculas não fazem diferença.',
    remedy: 'Escolha outro nome.',
  },
  LAST_OWNER: {
    title: 'O último proprietário',
    meaning: 'Depois desta alteração, nenhum proprietário poderia entrar.',
    remedy: 'Antes, torne outro administrador proprietário.',
  },
  ROLE_IN_USE: {
    title: 'Função em uso',
    meaning: 'Há administradores com esta função, em geral ou em um servidor.',
    remedy: 'Antes, dê a eles outra função.',
  },
  TOTP_STATE: {
    title: 'A verificação em duas etapas mudou',
    meaning:
      'A verificação em duas etapas já está ativada, já está desativada, ou a configuração não foi iniciada.',
    remedy: 'Abra o seu perfil de novo e recomece.',
  },
};
