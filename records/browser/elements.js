// Builds elements of a page.

/** An element with attributes and content; what is text stays text. */
export const element = (name, attributes, ...content) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
};
