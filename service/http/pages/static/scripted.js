// Shows what needs scripts, which pages hide, once all of them listen: a form that is sent earlier would be sent by the
// browser instead, to an address that does not take it.

let listening = false;

/** Show what needs scripts, if they listen. */
export const reveal = () => {
  if (!listening) return;
  for (const each of document.querySelectorAll(".js[hidden]")) each.hidden = false;
};

/** Say that all scripts listen. */
export const listen = () => {
  listening = true;
  reveal();
};
